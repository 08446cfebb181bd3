"""What leaves the server: results of finished matches, to the address that a group has named."""
