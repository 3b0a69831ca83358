"""The HTTP server: waitress, with limits for each address.

waitress limits connections, threads and bytes for all phones together, so that one phone could use
up everything. This package counts them by address.
"""
