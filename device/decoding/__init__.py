"""Pictures from outside, decoded in a process of their own: no file takes the page with it."""
