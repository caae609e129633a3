"""Edit a solution: one change at a time, by rules and by lines."""
