"""The small heads on the classifier's features: how a tile looks, and whether it is mirrored."""
