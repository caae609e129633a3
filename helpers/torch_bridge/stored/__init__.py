"""Stored trainings of torch networks: see `helpers.experiments.stored`."""
