"""The computer that the box is: its addresses, its Wi-Fi, its certificate, its service manager."""
