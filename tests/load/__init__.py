"""Load: a class that submits on the last evening, on the parts that docs/deploy.md sets up."""
