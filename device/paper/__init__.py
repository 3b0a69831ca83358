"""What the box prints as PDF, and results as a workbook.

The modules load ReportLab or XlsxWriter, so they are imported only where something is made,
but for `letters`, which pages ask.
"""
