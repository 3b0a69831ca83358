"""The tutor's pages: learn, set the table, point and ask, practise, the reference card."""
