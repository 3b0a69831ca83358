"""What the box prints: the mat, the label and the score sheet, as PDF.

Its modules load reportlab, so they are imported where something is printed and not before.
"""
