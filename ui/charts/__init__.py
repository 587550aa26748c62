"""The drawing kit: charts as frozen values, one painting widget per kind, and their export."""
