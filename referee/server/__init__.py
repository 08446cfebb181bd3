"""The server around the app: connections, threads, live streams, certificate, log lines."""
