"""The audit log as pages."""
