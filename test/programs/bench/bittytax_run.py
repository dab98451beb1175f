"""Imports records with BittyTax and calculates UK capital gains, as its command does, without its audit, its report and its price sources.

    bittytax_run.py RECORDS.csv
"""

import sys

from bittytax.bt_types import DisposalType, TaxRules
from bittytax.import_records import ImportRecords
from bittytax.tax import TaxCalculator
from bittytax.transactions import TransactionHistory


class Pounds:
    """Values of what is in pounds already. The others come from the records."""

    def get_value(self, _asset, _timestamp, quantity):
        return quantity, True


importer = ImportRecords()
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    importer.import_csv(file)
if importer.failure_cnt > 0:
    sys.exit(f"{importer.failure_cnt} records were not read")
tax = TaxCalculator(TransactionHistory(importer.get_records(), Pounds()).transactions, TaxRules.UK_INDIVIDUAL)
tax.pool_same_day()
tax.match_sell(DisposalType.SAME_DAY)
tax.match_buyback(DisposalType.BED_AND_BREAKFAST)
tax.process_section104(False)
