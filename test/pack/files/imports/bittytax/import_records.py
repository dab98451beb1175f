"""Reads an import file with BittyTax's own importer, and prints what it took from it as JSON.

usage: import_records.py bittytax.csv
"""

import contextlib
import json
import sys
from decimal import Decimal, getcontext

from bittytax.import_records import ImportRecords

getcontext().prec = 200  # sums are exact

importer = ImportRecords()
with open(sys.argv[1], newline="", encoding="utf-8") as file, contextlib.redirect_stdout(sys.stderr):
    importer.import_csv(file)

sums = {}
times = []
for record in importer.get_records():
    side = record.buy or record.sell
    key = "|".join([record.t_type.value, record.wallet, record.note, side.asset])
    sums[key] = sums.get(key, Decimal(0)) + side.quantity
    times.append(int(record.timestamp.timestamp() * 1000))

json.dump(
    {
        "success": importer.success_cnt,
        "failure": importer.failure_cnt,
        "sums": {key: f"{total:f}" for key, total in sums.items()},
        "times": times,
    },
    sys.stdout,
)
