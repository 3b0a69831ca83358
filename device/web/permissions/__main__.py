"""`python -m device.web.permissions > docs/permissions.md`: write the list of permissions."""

import sys

from device.web.app import url_map
from device.web.permissions.document import page

sys.stdout.write("\n".join(page(url_map())))
