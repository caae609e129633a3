"""Stored training runs of torch networks: see `helpers.experiments.stored`."""
