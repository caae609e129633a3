"""What make runs, and what one runs by hand, in a room for each audience.

learner: install, open, copy, count what is solved; from a bare Python on
author: numbers, pins, RESULTS.md, stored runs and models, benchmarks
classes: the class page, a trial hub and its measurement, a stick
paper: slides, formulas, exit tickets and answers to print
site: the web page
markup.py: HTML for the last three, from the templates beside their tools

From the project's root: `.venv/bin/python -m tools.author.number 03`.
"""
