"""How phones are answered: how many may wait, who is next, how much each may send.

waitress does the work. Here stands what it leaves open: it counts connections, threads and bytes
over all phones together, so that one could use up everybody's. Here they are counted by address.
"""
