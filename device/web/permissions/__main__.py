"""`python -m device.web.permissions > docs/permissions.md`: write the list of permissions."""

import sys

from device.web.app import url_map
from device.web.permissions import permissions_document

sys.stdout.write("\n".join(permissions_document(url_map())))
