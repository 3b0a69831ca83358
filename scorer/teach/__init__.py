"""Teaching: lessons, examples, and hands to practise on."""
