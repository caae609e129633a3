"""The exercises of the course, one text each; ../README.md shows the form.

NAME.py beside NAME.txt holds what its code needs of Python, and only that.
"""
