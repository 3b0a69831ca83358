"""The box's computer: its addresses, Wi-Fi, certificate, clock and service manager."""
