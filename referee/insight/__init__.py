"""What the record knows after a deal: read again entry by entry, once the deal is over."""
