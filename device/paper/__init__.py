"""What the box prints as PDF: the mat, labels, score sheets and the reference card.

The modules load reportlab, so they are imported only where something is printed.
"""
