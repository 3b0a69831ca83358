#!/usr/bin/env bash
# Expect: mtools puts a file on a FAT card with its name and time; what FAT cannot hold (years before 1980, say) is refused or brought to the nearest.
# Happens: 1970 becomes 2098 and 1979 becomes 2107, without a word; a file called 🀄 gets a sign of nobody's (U+F004) for its name, though
#   東風 is right (mtools 4.0.32 of Debian 12; seen in the card's bytes, not by mtools alone).
# Read: mtools' manual (-m keeps times; "VFAT long names") and Microsoft's FAT specification (years 1980 to 2107, names in UTF-16).
# Matters: cards for boxes are made by mtools from files of time 0 for reproducible builds: for 70 years they are "newer" than every update.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q mtools=4.0.33-1+really4.0.32-1 > apt 2>&1 || { cat apt; exit 1; }
dpkg -x mtools_*.deb .
export PATH="$folder/usr/bin:$PATH" TZ=UTC LC_ALL=C.UTF-8 MTOOLSRC=/dev/null
mformat -C -i card.img -T 65536 ::
for name in T1970 T1979 T1980 T2026; do
  echo text > "$name.TXT"
  touch -d "${name#T}-06-15 12:00" "$name.TXT"
  mcopy -m -i card.img "$name.TXT" ::/
done
for name in 東風.txt 🀄.txt; do
  echo text > "$name"
  mcopy -i card.img "$name" ::/
done
{
  dpkg-deb -f mtools_*.deb Package Version | tr '\n' ' '
  echo
  python3 - <<'END'
card = open("card.img", "rb").read()
for year in ("1970", "1979", "1980", "2026"):
    place = card.index(f"T{year}   TXT".encode())
    date = int.from_bytes(card[place + 24:place + 26], "little")
    print(f"file of June {year}; on the card: {1980 + (date >> 9)}-{date >> 5 & 15:02}-{date & 31:02}")
for name in ("東風", "🀄"):
    print("file called", name, "| its name is on the card:", name.encode("utf-16-le") in card,
          "| a name of U+F004 is:", "\uf004.".encode("utf-16-le") in card)
END
} > output
cat output
diff - output <<'END' || { echo "This has changed."; exit 1; }
Package: mtools Version: 4.0.33-1+really4.0.32-1 
file of June 1970; on the card: 2098-06-15
file of June 1979; on the card: 2107-06-15
file of June 1980; on the card: 1980-06-15
file of June 2026; on the card: 2026-06-15
file called 東風 | its name is on the card: True | a name of U+F004 is: True
file called 🀄 | its name is on the card: False | a name of U+F004 is: True
END
