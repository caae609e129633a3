"""Explain an answer: the verdict, and the finders that it asks in turn."""
