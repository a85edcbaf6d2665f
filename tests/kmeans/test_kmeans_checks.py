"""scikit-learn's own checks."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from seedbed import KMeans

RANDOM = {
    "check_sample_weight_equivalence_on_dense_data": "the check reorders the rows, so the same "
    "random numbers choose other ones"
}
_FEW = (
    "the check has 4 distinct rows for 8 clusters: scikit-learn warns and finds 4, here it is an "
    "error unless empty_cluster is 'keep' or 'drop'"
)
FEW_ROWS = {"check_sample_weights_shape": _FEW, "check_sample_weights_not_overwritten": _FEW}


def expected_failures(estimator):
    random = estimator.init == "greedy-k-means++" and estimator.n_clusters > 1
    few = estimator.n_clusters > 4 and estimator.empty_cluster == "relocate"
    return (RANDOM if random else {}) | (FEW_ROWS if few else {})


@pytest.mark.filterwarnings(
    "ignore::seedbed.exceptions.DistinctRowsWarning",
    "ignore::seedbed.exceptions.EmptyClusterWarning",
)
@parametrize_with_checks(
    [
        KMeans(),
        KMeans(empty_cluster="drop"),
        KMeans(n_clusters=1),
        KMeans(n_clusters=3),
        KMeans(n_clusters=3, init="var-part"),
        KMeans(n_clusters=2, init="pca-part", stop="sse", algorithm="lloyd", order_labels="size"),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
