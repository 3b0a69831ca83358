"""The recipe for the models: renderer, datasets, training and export. Never imported by the box."""
