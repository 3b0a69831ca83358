"""Hands that players agree to share, written as a dataset of labelled photographs."""
