"""What the notebooks and the README must keep to."""
