"""Print the event catalogue: `python -m device.store.events > docs/events.md`."""

import sys

from device.store.events.document import page

sys.stdout.write("\n".join(page()))
