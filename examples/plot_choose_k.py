"""
How many clusters?
==================

Four criteria over K on a mixture of six components that overlap a little. They need not agree: each
has its own idea of a cluster. The script writes the picture where it is given a file::

    python examples/plot_choose_k.py
    python examples/plot_choose_k.py docs/images/choosing-k.png
"""

import sys

import matplotlib.pyplot as plt

import seedbed as sb

mixture = sb.data.mixture(6, 4, mean_overlap=0.01, random_state=3)
X = sb.data.sample(mixture, 5000, random_state=3).X
found = sb.choose_k(X, range(1, 15), random_state=0)
print(found)

# %%
# What a criterion prefers is marked. Bars are standard errors: of the silhouette, which was
# computed for a thousand of the rows, and of the gap statistic.

figure = found.figure()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
    print(f"wrote {sys.argv[1]}")
plt.show()

# %%
# The clusterings are there to be looked at.

k = found.preferred["silhouette"]
print(k, sb.criteria.compare(sb.data.sample(mixture, 5000, random_state=3).y, found.labels(k)))
