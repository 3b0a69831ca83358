"""Updates from a phone: receive a bundle, check its signature, and follow the installation."""
