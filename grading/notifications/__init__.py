"""E-mails about results, second looks and due dates."""
