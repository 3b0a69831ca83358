"""What pages and papers show, gathered as values before anything is drawn; no web in it."""
