"""JupyterLab in a real browser; `make browser` runs it."""
