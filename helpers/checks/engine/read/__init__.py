"""Read an exercise's text: steps, mistakes, probes, and the code in them."""
