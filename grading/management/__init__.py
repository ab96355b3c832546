"""Commands for the shell: for researchers, and for whoever runs the site."""
