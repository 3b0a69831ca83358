"""Whether the words on a page stand whole: none is broken between two lines or sticks out.

A name of a player may be so long that no line of a phone holds it (`LONGEST_WORD`): it breaks.
"""

from __future__ import annotations

LONGEST_WORD = 19
"""Letters of the longest word that a text has; what is longer is a player's name."""

LONGEST_WORD_OF_SEAT, LONGEST_WORD_OF_COLUMN = 11, 10
"""Letters of a name that a seat holds in a line at 360 pixels, in the least size for older eyes, or
stand below a small photo; and above a column of figures. A longer one breaks there."""

SPLIT_WORDS = rf"""
const latin = /mah.jong|wi.fi|[\p{{Script=Latin}}\p{{N}}’']{{2,}}/giu;
const longest = (element) =>
  element.closest(".seat .name, .photos") ? {LONGEST_WORD_OF_SEAT}
    : element.closest(".score-sheet thead") ? {LONGEST_WORD_OF_COLUMN} : {LONGEST_WORD};
const unread = "script, style, svg, .unseen, .skip, .code, .address";
const place = (element) =>
  getComputedStyle(element).display === "inline" ? place(element.parentElement) : element;
const roomFor = (element) => {{
  const holder = place(element), holders = [holder, holder.parentElement];
  if (holders.some((each) => getComputedStyle(each).overflowX !== "visible")) return null;
  const edges = holders.map((each) => each.getBoundingClientRect());
  const left = Math.max(...edges.map((each) => each.left)) - .5;
  return {{left, right: Math.min(...edges.map((each) => each.right)) + .5}};
}};
const fault = (range, room) => {{
  const lines = [...range.getClientRects()].filter(({{width}}) => width);
  if (new Set(lines.map(({{top}}) => Math.round(top))).size > 1) return "broken";
  const sticksOut = room && lines.some((each) => each.left < room.left || each.right > room.right);
  return sticksOut ? "sticks out" : null;
}};
const splitWords = (root, words = latin) => {{
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), faults = [];
  const range = document.createRange();
  while (walker.nextNode()) {{
    const text = walker.currentNode, parent = text.parentElement;
    if (!text.data.trim() || !parent.checkVisibility() || parent.closest(unread)) continue;
    const room = roomFor(parent);
    range.selectNodeContents(text);
    if (!fault(range, room)) continue; // on one line, and all of it in its place
    for (const {{0: word, index}} of text.data.matchAll(words)) {{
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const found = word.length <= longest(parent) && fault(range, room);
      if (found) faults.push(`${{found}}: ${{word}}`);
    }}
  }}
  return faults;
}};
"""
"""Defines `splitWords`, which lists the words below an element that do not stand whole."""
