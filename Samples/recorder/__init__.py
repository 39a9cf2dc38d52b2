"""Records the sample captures: simulated heart rate sensors, seen by a simulated phone."""
