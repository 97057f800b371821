"""Replay the recorded verdicts of the real Kubernetes code and count the agreement."""
