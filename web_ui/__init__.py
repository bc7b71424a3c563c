"""The Flask application: pages and requests of the phones, and the stream that keeps them live."""
