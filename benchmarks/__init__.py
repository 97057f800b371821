"""
Room: what the package costs, as ratios that were measured in one run on one machine.

`nox -s bench` runs every contest, prints its table and keeps the values as pyperf JSON in `benchmarks/results`; `python -m pyperf compare_to A B`
compares two runs. A contest is a module here that gives `contests()`.

May touch: the package, pyperf, the oracle of the tests where Go is installed.
"""
