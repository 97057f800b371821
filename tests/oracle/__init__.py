"""
The judges: our engine beside the real Kubernetes code, live.

`program/` is a Go program that asks the scheduler's own evaluator; `minors/MINOR/go.mod` says with which modules it is built, so that a new
Kubernetes minor is one folder and one command: `python -m tests.oracle add 1.38 v0.38.0`. Go and its module proxy are needed; nothing here runs
in the ordinary tests.
"""
