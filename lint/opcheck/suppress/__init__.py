"""What is written to suppress findings: where it stands, which findings it takes, and whether it takes any."""
