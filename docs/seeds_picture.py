"""The picture on a method's page: one plane of points, the seeds on it, and where k-means takes
them. Written as SVG by hand, so that the same seeds give the same bytes whatever is installed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

import seedbed as sb

N_CLUSTERS = 8
GROUPS = (  # x, y, spread and size of the round groups
    (1.0, 1.0, 0.45, 40),
    (2.3, 4.4, 0.50, 30),
    (4.6, 2.2, 0.60, 70),
    (5.2, 5.6, 0.35, 20),
    (8.3, 1.2, 0.40, 36),
    (9.2, 3.4, 0.35, 30),
    (8.6, 6.2, 0.60, 54),
    (0.6, 6.8, 0.40, 16),
)
STRAYS = 10  # points that belong to no group
LOW, HIGH = np.array([-0.9, -0.9]), np.array([10.9, 8.4])  # corners of the plane that is shown

UNIT = 26.0  # pixels
TITLE, MARGIN = 24, 8
INK, FAINT, FRAME = "#1b1f24", "#57606a", "#d0d7de"
PALETTE = ("#8fb3d9", "#f7b26a", "#8ecb87", "#cba6c3", "#e6cf63", "#86cfc8", "#f5a3ab", "#bfa08e")


def patches() -> np.ndarray:
    """Eight round groups of different size and spread, and a few stray points, in random order."""
    rng = np.random.default_rng(5)
    groups = [rng.normal((x, y), spread, size=(size, 2)) for x, y, spread, size in GROUPS]
    strays = rng.uniform((-0.5, -0.5), (10.5, 8), size=(STRAYS, 2))
    return rng.permutation(np.vstack([*groups, strays])).round(3)


def fit(X: np.ndarray, method: sb.init.Method) -> sb.KMeans:
    """One run of k-means from the method's seeds, to the end."""
    return sb.KMeans(N_CLUSTERS, init=method, n_init=1, random_state=0, stop="labels").fit(X)


def picture(X: np.ndarray, model: sb.KMeans, name: str) -> str:
    """Points and seeds on the left, clusters and centres on the right, as SVG."""
    width, height = UNIT * (HIGH - LOW)
    right = width + 2 * MARGIN
    iterations = f"{model.n_iter_} iteration{'s' * (model.n_iter_ != 1)}"
    seeds, centers = _pixels(model.init_centers_), _pixels(model.cluster_centers_)
    nearest = ((X[:, None] - model.init_centers_) ** 2).sum(axis=2).argmin(axis=1)
    size = f'width="{2 * width + 4 * MARGIN:g}" height="{height + TITLE + MARGIN:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-family="sans-serif">',
        f"<title>{_text(name)}: seeds, and where k-means takes them</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        *_panel(MARGIN, "seeds", model.init_inertia_, X, nearest),
        *(_seed(i, at) for i, at in enumerate(seeds, start=1)),
        "</g>",
        *_panel(right + MARGIN, f"after {iterations}", model.inertia_, X, model.labels_),
        *(_way(a, b) for a, b in zip(seeds, centers, strict=True)),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _panel(left: float, title: str, sse: float, X: np.ndarray, labels: np.ndarray) -> Iterable[str]:
    """A frame with its title and the points by cluster; the group is left open for more."""
    width, height = UNIT * (HIGH - LOW)
    yield f'<g transform="translate({left:g} {TITLE})">'
    yield f'<text y="-7" font-size="13" font-weight="bold" fill="{INK}">{title}</text>'
    yield (
        f'<text x="{width:g}" y="-7" font-size="13" text-anchor="end" fill="{FAINT}">'
        f"SSE {sse:.1f}</text>"
    )
    yield f'<rect width="{width:g}" height="{height:g}" fill="none" stroke="{FRAME}"/>'
    points = _pixels(X)
    for cluster, colour in enumerate(PALETTE):
        dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in points[labels == cluster])
        yield f'<path d="{dots}" stroke="{colour}" stroke-width="4.5" stroke-linecap="round"/>'


def _seed(number: int, at: np.ndarray) -> str:
    """A ring with the seed's place in the order in which the method gave them."""
    x, y = at
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="#fff" stroke="{INK}" stroke-width="1.3"/>'
        f'<text x="{x:.1f}" y="{y + 3.2:.1f}" font-size="9" text-anchor="middle" fill="{INK}">'
        f"{number}</text>"
    )


def _way(start: np.ndarray, end: np.ndarray) -> str:
    """From the seed to the centre of its cluster."""
    (x, y), (u, v) = start, end
    return (
        f'<path d="M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}" stroke="{INK}"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#fff" stroke="{INK}"/>'
        f'<circle cx="{u:.1f}" cy="{v:.1f}" r="4.5" fill="{INK}" stroke="#fff"/>'
    )


def _pixels(points: np.ndarray) -> np.ndarray:
    x, y = (np.asarray(points, dtype=np.float64) - LOW).T * UNIT
    return np.column_stack([x, UNIT * (HIGH - LOW)[1] - y]) + 0.0  # -0 becomes 0


def _text(name: str) -> str:
    return name.replace("&", "&amp;").replace("<", "&lt;")
