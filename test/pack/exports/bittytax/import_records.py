"""Reads an import file with BittyTax's own importer, audits it as BittyTax does before each report, and prints what it took from it as JSON.

usage: import_records.py bittytax.csv
"""

import contextlib
import io
import json
import sys
from decimal import Decimal, getcontext

from bittytax.audit import AuditRecords
from bittytax.import_records import ImportRecords

getcontext().prec = 200  # sums are exact

importer = ImportRecords()
with open(sys.argv[1], newline="", encoding="utf-8") as file, contextlib.redirect_stdout(sys.stderr):
    importer.import_csv(file)

warnings = io.StringIO()
with contextlib.redirect_stdout(warnings):
    audit = AuditRecords(importer.get_records())

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
        "negative": warnings.getvalue().count("is negative"),
        "balances": {asset: f"{amount:f}" for own in audit.wallets.values() for asset, amount in own.items()},
    },
    sys.stdout,
)
