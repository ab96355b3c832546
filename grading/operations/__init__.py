"""What an operator sees and does: health, figures for monitoring, queues, workers and jobs."""
