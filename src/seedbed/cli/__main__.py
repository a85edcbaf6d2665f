"""``python -m seedbed.cli``: the command without its installed script."""

import sys

from seedbed.cli import main

sys.exit(main())
