"""Whether words are in an order that sentences have: counts of English, and what they hold back."""
