"""`python -m device.store.events > docs/events.md`: the catalogue as a page."""

import sys

from device.store.events.document import page

sys.stdout.write("\n".join(page()))
