"""A page on which anyone tries an attack on a question; serving it needs the extra `app`."""
