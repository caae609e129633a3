"""The engine of the checks: what is the same for every exercise.

load     makes an exercise of its text
exercise a pipeline of steps with named mistakes, called with an answer
explain  says what is wrong with an answer: the verdict and its finders
edit     changes a solution in one place, to name what no table has
read     cuts a text into steps, mistakes and probes, and runs the steps
run      calls a function where it can do no harm, and compares numbers

Each imports only what stands below it.
"""
