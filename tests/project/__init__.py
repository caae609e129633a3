"""What the installation, make and CI must keep to."""
