"""The exercises of the course, each in a module named as the exercise."""
