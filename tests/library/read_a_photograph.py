from pathlib import Path

from scorer import parse_hand, score_hand
from vision import Reader, open_photo

path = Path("device/samples/concealed-kong.jpg")
reading = Reader.load().read(open_photo(path.read_bytes(), path.name))
for laid in reading.sets:
    tiles = [reading.tiles[place] for place in laid.tiles]
    print(laid.row, laid.kind, *(tile.code + "?" * tile.doubtful for tile in tiles))
print(reading.hand_text, score_hand(parse_hand(reading.hand_text)).total)
