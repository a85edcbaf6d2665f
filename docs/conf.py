"""How the documentation site is made; CONTRIBUTING.md says how to build it.

Pages are the Markdown files beside this one, readable on their own too. Three kinds of pages are
made during the build and never committed: the gallery from examples/, the API reference from
docstrings, and copies of Markdown pages that live elsewhere in the repository.
"""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

import site_pages  # noqa: E402

import seedbed  # noqa: E402

project = "seedbed"
author = "the seedbed developers"
project_copyright = "the seedbed developers, BSD-3-Clause"
version = release = seedbed.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["results", "**/README.md"]
templates_path = ["_templates"]
default_role = "py:obj"
nitpicky = True
nitpick_ignore_regex = [("py:class", r"sklearn\..*")]  # base classes; there is no network to ask

# -- Markdown
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["config.cache"]  # the gallery's settings hold classes

# -- API reference
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# -- Gallery: every script of examples/ is run
sphinx_gallery_conf = {
    "examples_dirs": str(DOCS.parent / "examples"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 5,
    "default_thumb_file": str(DOCS / "_static" / "seedbed.png"),
    "abort_on_example_error": True,
    "parallel": True,  # in as many processes as the build has (-j)
}

# -- HTML
LOGO = "_static/seedbed.svg"
html_theme = "pydata_sphinx_theme"
html_title = "seedbed"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = LOGO
html_show_sourcelink = False
html_context = {"default_mode": "auto"}  # light or dark as the reader's system is
html_theme_options = {
    "logo": {"text": "seedbed", "image_light": LOGO, "image_dark": LOGO, "alt_text": ""},
    "show_toc_level": 2,
    "secondary_sidebar_items": {"**": ["page-toc"], "methods/index": []},  # a wide table
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def setup(app):
    site_pages.connect(app)
