"""
Methods compared on your data
=============================

A small study on one data set: here the handwritten digits of scikit-learn. Every method starts
k-means ten times, deterministic ones once. The script writes the picture where it is given a file::

    python examples/plot_compare.py
    python examples/plot_compare.py docs/images/compare.png
"""

import sys

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import seedbed as sb

X = load_digits().data
found = sb.compare(X, 10, random_state=0)
print(found)

# %%
# On the left every run. On the right what to expect of the best of 1, 2, … runs, against the
# processor time that they take: a curve that is lower and farther left is better.

figure = found.figure()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
    print(f"wrote {sys.argv[1]}")
plt.show()

# %%
# The best clustering that was found is there to be used.

print(found.best_method, found.least, found.labels[:10])
