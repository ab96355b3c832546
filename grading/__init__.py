"""PyrEval Classroom: pyramid evaluation of summaries for courses."""
