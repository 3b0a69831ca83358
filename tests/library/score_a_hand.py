from scorer import HandError, NotationError, parse_hand, score_hand, to_english

try:
    hand = parse_hand("DRRR | B345 O22 C777 WEEE | seat=E round=E won=wall with=C7")
    scored = score_hand(hand)
except (NotationError, HandError) as error:
    raise SystemExit(str(error)) from error
for line in scored.lines:
    print(to_english(line.label), line.points, line.doubles, *line.tiles)
print(scored.total, "points")
