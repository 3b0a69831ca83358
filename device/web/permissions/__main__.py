"""`python -m device.web.permissions > docs/permissions.md`: the table as a page."""

import sys

from device.web.app import url_map
from device.web.permissions.document import page

sys.stdout.write("\n".join(page(url_map())))
