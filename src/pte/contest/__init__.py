"""The contest of methods on a text: who takes part, folds, what is chosen inside them, scores with
intervals, cost, the advice, and the page that shows it.

Reading files and drawing tables of the study belong elsewhere.
"""
