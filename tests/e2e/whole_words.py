"""Whether the words on a page stand whole: none is broken between two lines or sticks out.

A name of a player may be so long that no line of a phone holds it (`LONGEST_WORD`): it breaks.
"""

from __future__ import annotations

LONGEST_WORD = 19
"""Letters of the longest word that a text has; what is longer is a player's name."""

SPLIT_WORDS = rf"""
const latin = /[\p{{Script=Latin}}\p{{N}}’']{{2,}}/gu, longest = {LONGEST_WORD};
const unread = "script, style, svg, .unseen, .skip, .code, .address";
const place = (element) =>
  getComputedStyle(element).display === "inline" ? place(element.parentElement) : element;
const fault = (text, found) => {{
  const [word] = found, range = document.createRange();
  range.setStart(text, found.index);
  range.setEnd(text, found.index + word.length);
  const lines = [...range.getClientRects()].filter(({{width}}) => width);
  if (new Set(lines.map(({{top}}) => Math.round(top))).size > 1) return `broken: ${{word}}`;
  const holder = place(text.parentElement), holders = [holder, holder.parentElement];
  if (holders.some((each) => getComputedStyle(each).overflowX !== "visible")) return null;
  const edges = holders.map((each) => each.getBoundingClientRect());
  const left = Math.max(...edges.map((each) => each.left)) - .5;
  const right = Math.min(...edges.map((each) => each.right)) + .5;
  return lines.some((each) => each.left < left || each.right > right)
    ? `sticks out: ${{word}}` : null;
}};
const splitWords = (root, words = latin) => {{
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), faults = [];
  while (walker.nextNode()) {{
    const text = walker.currentNode, parent = text.parentElement;
    if (!parent.checkVisibility() || parent.closest(unread)) continue;
    for (const found of text.data.matchAll(words)) {{
      if (found[0].length <= longest) faults.push(fault(text, found));
    }}
  }}
  return faults.filter(Boolean);
}};
"""
"""Defines `splitWords`, which lists the words below an element that do not stand whole."""
