"""Words to vectors, one file an encoder; the only gensim door."""
