"""The appliance: command line, jobs, store and the page on the players' phones."""
