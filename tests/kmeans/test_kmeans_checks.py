"""scikit-learn's own checks."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from seedbed import KMeans

RANDOM = {
    "check_sample_weight_equivalence_on_dense_data": "the check reorders the rows, so the same "
    "random numbers choose other ones"
}


def expected_failures(estimator):
    return RANDOM if estimator.init == "greedy-k-means++" and estimator.n_clusters > 1 else {}


@parametrize_with_checks(
    [
        KMeans(n_clusters=1),
        KMeans(n_clusters=3),
        KMeans(n_clusters=3, init="var-part"),
        KMeans(n_clusters=2, init="pca-part", stop="sse", algorithm="lloyd", order_labels="size"),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
