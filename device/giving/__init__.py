"""Data given on purpose: what the players agreed to, and hands written as labelled photographs."""
