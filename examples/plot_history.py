"""
The record of a run
===================

Every fit keeps its history: the error after each iteration, the labels that changed, why it
stopped. Here four methods start on the handwritten digits of scikit-learn.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import seedbed as sb

X = load_digits().data
METHODS = ("forgy", "macqueen", "greedy-k-means++", "pca-part")
models = {
    name: sb.KMeans(10, init=name, n_init=1, stop="labels", random_state=0).fit(X)
    for name in METHODS
}
for name, model in models.items():
    record = f"{model.n_iter_:3} iterations, ended by {model.stop_reason_!r}"
    print(f"{name:18} {record}, final SSE {model.inertia_:.0f}")

# %%
# The error never rises. Where a run starts decides how long it takes and where it ends, and the one
# says little about the other. Nor does one run say much about a random method, which is why the
# study makes a hundred of each.

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for name, model in models.items():
    ax.plot(range(len(model.history_)), model.history_.sse, marker="o", markersize=3, label=name)
ax.set(xlabel="iteration", ylabel="SSE", yscale="log")
ax.legend()
plt.show()

# %%
# How much of the work was left to do is told by the labels that still changed, and by the distances
# that were computed: the algorithms leave out those that cannot matter.

print(models["forgy"].history_)
