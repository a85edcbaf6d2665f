"""K-means as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted, validate_data

from seedbed._compat import CallbackSupportMixin
from seedbed._core._engine import Ended, Run
from seedbed._random import RandomState
from seedbed._validation import (
    FloatArray,
    Points,
    as_matrix,
    as_n_clusters,
    as_points,
    as_threads,
    as_weights,
    points_of,
)
from seedbed.init import Choice, Seeds
from seedbed.kmeans import _callbacks, _parameters
from seedbed.kmeans._order import cluster_order, renumbered
from seedbed.kmeans._runs import History, Runs, run_points
from seedbed.kmeans._starts import Starts, starts_for


class KMeans(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    ClusterMixin,  # type: ignore[misc]
    CallbackSupportMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """K-means clustering: exact, fast, and the same bytes for the same seed.

    It takes the place of ``sklearn.cluster.KMeans``. Labels are always those of the nearest centre,
    whatever the algorithm, the number of threads or the processor.

    Parameters
    ----------
    n_clusters : int, default=8
        How many clusters.
    init : str, method, array or function, default="greedy-k-means++"
        Where to start. "auto" takes the method, and with ``n_init="auto"`` the number of runs,
        that by the evidence of our studies suit the numbers of rows, features and clusters;
        ``init_choice_`` says which, and why. ``seedbed.init.Auto(deterministic=True)`` chooses
        among methods without randomness. Or the name, letter or alias of a method
        (``seedbed.methods()`` lists them); a method such as ``seedbed.init.PCAPart()``; an array
        n_clusters × n_features, or runs × n_clusters × n_features; or a function
        ``f(X, n_clusters, random_state)`` that returns n_clusters × n_features. The function gets
        the data as they are (nothing is subtracted, and nothing can be written to them), a
        ``numpy.random.RandomState``, and ``sample_weight`` if it has a parameter of that name.
    n_init : int or "auto", default="auto"
        How many runs, of which the one of least error is kept. "auto" is 1 for deterministic
        methods, arrays, the k-means++ family, Bradley & Fayyad's method and those that search by
        themselves (``seedbed.kmeans._starts.ONE_IS_ENOUGH``), and 10 for other random methods and
        for functions. Deterministic methods and arrays always run once (once per
        start). Run r is the same whatever ``n_init`` is, except that with ``init="auto"`` the
        method is the one that suits at most so many runs.
    max_iter : int, default=300
        Iterations of a run at most.
    tol : float or "auto", default="auto"
        See ``stop``. "auto" is 1e-4 for "centers", 1e-6 for "sse" and 0 for "labels".
    verbose : int, default=0
        1 prints a line per run.
    random_state : int, Generator, RandomState or None, default=None
        The same number gives the same result; None another one each time.
    copy_x : bool, default=True
        Accepted for compatibility; the data are never modified.
    algorithm : str, default="auto"
        How labels are found: "lloyd", "tie-pde", "hamerly", "elkan", "yinyang" or "tree". Every
        choice gives the same labels; "auto" picks a fast one.
    stop : {"centers", "sse", "labels"}, default="centers"
        "centers": squared moves of the centres sum to at most ``tol`` times the mean variance of
        the features, as in scikit-learn. "sse": the error falls by at most ``tol`` of itself.
        "labels": no label changes, which ends every run whatever the rule.
    empty_cluster : {"relocate", "keep", "drop", "error"}, default="relocate"
        Move an empty cluster to the farthest point (of the largest weight × squared distance), keep
        its centre, drop it, or raise.
    n_threads : int or None, default=None
        None for as many as this process may use. The result does not depend on it.
    order_labels : {"size", "lexicographic"} or None, default=None
        "size": cluster 0 is the heaviest. "lexicographic": by the centres' features, the first
        feature first.
    refine : {"hartigan"} or None, default=None
        "hartigan" carries every run on by moving single rows between clusters until none can move
        and lower the SSE. Such a clustering is at least as good, and still one that Lloyd's
        iterations would not change. A pass over the rows counts as an iteration and costs about as
        much; where ``max_iter`` is reached first, the run stays as it is.

    Attributes
    ----------
    labels_ : ndarray of int32, one per row
        The cluster of each row; ``predict`` gives the same.
    cluster_centers_ : ndarray, n_clusters × n_features
        The centres, of the data's dtype.
    inertia_ : float
        SSE, the weighted sum of squared distances to the centres, in float64.
    n_iter_ : int
        Iterations of the best run.
    converged_ : bool
        Whether it stopped by a rule, and not at ``max_iter`` or because a callback said so.
    stop_reason_ : str
        "labels", "centers", "sse", "hartigan" (no row can move and lower the SSE), "max_iter" or
        "callback".
    init_centers_ : ndarray, n_clusters × n_features
        Where the best run started.
    init_inertia_ : float
        The SSE of the best run's start.
    init_info_ : dict
        What the initialisation method reported.
    init_choice_ : Choice or None
        What ``init="auto"`` chose (``method``, ``runs``) and why (``reason``); None for any other
        ``init``.
    history_ : History
        The best run, one value per iteration: ``sse``, ``changed``, ``distances``, ``relocated``.
    runs_ : Runs
        The record of all runs.
    n_distances_ : int
        Distances between a point and a centre that the best run computed.
    n_moved_ : int
        Rows that Hartigan's refinement moved in the best run.
    algorithm_ : str
        The algorithm that ran.
    n_features_in_ : int
        Features of the data.
    feature_names_in_ : ndarray of str
        Their names, where the data came with names.

    See Also
    --------
    run_many : Many runs from given centres, in one call.
    seedbed.init.seed : Seeds alone.

    Examples
    --------
    >>> import numpy as np
    >>> from seedbed import KMeans
    >>> X = np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 0.0], [10.0, 2.0], [10.0, 4.0], [10.0, 0.0]])
    >>> km = KMeans(n_clusters=2, random_state=0, order_labels="lexicographic").fit(X)
    >>> km.labels_
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    >>> km.inertia_, km.stop_reason_
    (16.0, 'labels')
    """

    labels_: NDArray[np.int32]
    cluster_centers_: FloatArray
    inertia_: float
    n_iter_: int
    converged_: bool
    stop_reason_: str
    init_centers_: FloatArray
    init_inertia_: float
    init_info_: Mapping[str, Any]
    init_choice_: Choice | None
    history_: History
    runs_: Runs
    n_distances_: int
    n_moved_: int
    algorithm_: str
    n_features_in_: int

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "greedy-k-means++",
        n_init: int | str = "auto",
        max_iter: int = 300,
        tol: float | str = "auto",
        verbose: int = 0,
        random_state: RandomState = None,
        copy_x: bool = True,
        algorithm: str = "auto",
        stop: str = "centers",
        empty_cluster: str = "relocate",
        n_threads: int | None = None,
        order_labels: str | None = None,
        refine: str | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm
        self.stop = stop
        self.empty_cluster = empty_cluster
        self.n_threads = n_threads
        self.order_labels = order_labels
        self.refine = refine

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters of X.

        Parameters
        ----------
        X : array or data frame, rows × features
            Finite numbers. float32 and float64 in C order are used as they are.
        y : None
            Ignored.
        sample_weight : array of one weight per row, or a number, optional
            A row of weight 2 counts as two rows.

        Returns
        -------
        KMeans
            Itself, fitted.
        """
        if self.__dict__.get("_skl_callbacks"):
            _callbacks.fit_watched(self, X, y, sample_weight)
            return self
        points, n_threads = self._checked(X, sample_weight)
        starts = self._starts(points, n_threads)
        seeds = starts.all()
        runs = Runs(self._run(points, _cube(seeds), n_threads))
        if self.verbose:
            for r, run in enumerate(runs):
                print(starts.describe(r, run))
        return self._adopt(points, runs, seeds[runs.best], n_threads)

    def predict(self, X: Any) -> NDArray[np.int32]:
        """The nearest centre of each row; the lowest number among equally near ones.

        Parameters
        ----------
        X : array or data frame, rows × features
            With the features that were seen in `fit`.

        Returns
        -------
        ndarray of int32
            The cluster of each row.
        """
        points, centers, n_threads = self._against_centers(self._known(X))
        return points.data.assign(centers, n_threads)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[np.int32]:
        """``fit(X).labels_``.

        Parameters
        ----------
        X : array or data frame, rows × features
            As in `fit`.
        y : None
            Ignored.
        sample_weight : array of one weight per row, or a number, optional
            As in `fit`.

        Returns
        -------
        ndarray of int32
            The cluster of each row.
        """
        return self.fit(X, y, sample_weight=sample_weight).labels_

    def transform(self, X: Any) -> FloatArray:
        """Distance of each row to each centre, computed from differences.

        Parameters
        ----------
        X : array or data frame, rows × features
            With the features that were seen in `fit`.

        Returns
        -------
        ndarray, rows × clusters
            Euclidean distances, of the data's dtype.
        """
        x = self._known(X)
        points, centers, n_threads = self._against_centers(x)
        distances = points.data.distances(centers, n_threads)
        return cast(FloatArray, distances.astype(x.dtype, copy=False))

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> FloatArray:
        """``fit(X).transform(X)``.

        Parameters
        ----------
        X : array or data frame, rows × features
            As in `fit`.
        y : None
            Ignored.
        sample_weight : array of one weight per row, or a number, optional
            As in `fit`.

        Returns
        -------
        ndarray, rows × clusters
            Euclidean distances, of the data's dtype.
        """
        return self.fit(X, y, sample_weight=sample_weight).transform(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the SSE of X about the nearest centres.

        Parameters
        ----------
        X : array or data frame, rows × features
            With the features that were seen in `fit`.
        y : None
            Ignored.
        sample_weight : array of one weight per row, or a number, optional
            A row of weight 2 counts as two rows.

        Returns
        -------
        float
            Larger is better.
        """
        points, centers, n_threads = self._against_centers(self._known(X), sample_weight)
        labels = points.data.assign(centers, n_threads)
        return -points.data.sse(centers, labels, n_threads)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _checked(self, X: Any, sample_weight: Any) -> tuple[Points, int]:
        """Data and threads, once the options are known to be right. A plain float array passes in
        a few microseconds."""
        _parameters.check_estimator(self.__dict__, _DEFAULTS)
        n_threads = as_threads(self.n_threads)
        points = as_points(X, sample_weight, n_threads=n_threads)
        as_n_clusters(self.n_clusters, points.n)
        if points.x is X:  # a float array needs nothing of what scikit-learn does for frames
            self.n_features_in_ = points.d
            self.__dict__.pop("feature_names_in_", None)
        else:
            validate_data(self, X, reset=True, skip_check_array=True)
        return points, n_threads

    def _starts(self, points: Points, n_threads: int) -> Starts:
        starts = starts_for(
            self.init,
            self.n_init,
            points,
            int(self.n_clusters),
            random_state=self.random_state,
            n_threads=n_threads,
            repeats_allowed=self.empty_cluster in ("keep", "drop"),
        )
        self.init_choice_ = starts.choice
        return starts

    def _run(
        self, points: Points, cube: FloatArray, n_threads: int, ended: Ended | None = None
    ) -> tuple[Run, ...]:
        return run_points(
            points,
            cube,
            algorithm=self.algorithm,
            stop=self.stop,
            tol=_parameters.resolve_tol(self.tol, self.stop),
            max_iter=int(self.max_iter),
            empty_cluster=self.empty_cluster,
            n_threads=n_threads,
            ended=ended,
            refine=self.refine,
        )

    def _adopt(self, points: Points, runs: Runs, seeds: Seeds, n_threads: int) -> Self:
        """Take over the best run."""
        run = runs[runs.best]
        assert run.labels is not None  # the engine keeps those of the best run
        self.labels_ = run.labels
        self.cluster_centers_ = run.centers.copy()  # the record keeps its own
        self.init_centers_ = seeds.centers
        if self.order_labels is not None:
            self._renumber(points, n_threads)
        self.inertia_ = run.sse
        self.n_iter_ = run.n_iter
        self.stop_reason_ = run.stop_reason
        self.converged_ = run.stop_reason not in ("max_iter", "callback")
        self.init_inertia_ = run.initial_sse
        self.init_info_ = dict(seeds.info)
        self.history_ = History(run.history)
        self.runs_ = runs
        self.n_distances_ = run.n_distances
        self.n_moved_ = run.n_moved
        self.algorithm_ = run.algorithm
        return self

    def _renumber(self, points: Points, n_threads: int) -> None:
        order = cluster_order(
            str(self.order_labels), self.cluster_centers_, self.labels_, points.weight
        )
        self.cluster_centers_, self.labels_ = renumbered(
            points, self.cluster_centers_, order, n_threads
        )
        if len(order) == len(self.init_centers_):  # none was dropped: each still has its start
            self.init_centers_ = self.init_centers_[order]

    def _known(self, X: Any) -> FloatArray:
        """Rows to predict, with the features that were seen in `fit`."""
        check_is_fitted(self)
        x = as_matrix(X)
        plain = x is X and "feature_names_in_" not in self.__dict__
        if not plain or x.shape[1] != self.n_features_in_:
            validate_data(self, X, reset=False, skip_check_array=True)
        return x

    def _against_centers(self, x: FloatArray, sample_weight: Any = None) -> tuple[Points, Any, int]:
        """Rows and centres in one dtype: the wider one where they differ."""
        n_threads = as_threads(self.n_threads)
        dtype = np.promote_types(x.dtype, self.cluster_centers_.dtype)
        x = x.astype(dtype, copy=False)
        points = points_of(x, as_weights(sample_weight, len(x)), n_threads=n_threads)
        return points, np.ascontiguousarray(self.cluster_centers_, dtype=dtype), n_threads


_DEFAULTS = _parameters.defaults_of(KMeans)


def _cube(seeds: list[Seeds]) -> FloatArray:
    if len(seeds) == 1:
        return seeds[0].centers[None]
    return cast(FloatArray, np.stack([s.centers for s in seeds]))
