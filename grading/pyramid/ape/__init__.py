"""APE (Steinberger, Krejzl and Brychcín 2017): SCUs found by the AMR triples of their mentions."""
