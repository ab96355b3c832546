"""Extractive EDU pyramids (Hirao, Kamigaito and Nagata 2018): the segmenter, and three methods."""
