"""The app as a static folder that runs in a browser tab: ``referee pack``."""
