"""The trained networks (.onnx), a card for each; `models.train` makes them."""
