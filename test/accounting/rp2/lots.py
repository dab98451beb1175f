"""Prints which lots rp2 matches: histories as JSON on standard input, matches as JSON on standard output."""

import json
import sys
from importlib import import_module
from pathlib import Path

from prezzemolo.avl_tree import AVLTree
from rp2.accounting_engine import AccountingEngine
from rp2.configuration import MAX_DATE, MIN_DATE, Configuration
from rp2.in_transaction import InTransaction
from rp2.input_data import InputData
from rp2.out_transaction import OutTransaction
from rp2.plugin.country.us import US
from rp2.rp2_decimal import ZERO, RP2Decimal
from rp2.tax_engine import compute_tax
from rp2.transaction_set import TransactionSet

ASSET, EXCHANGE, HOLDER = "BTC", "exchange", "holder"
SETTINGS = f"""[general]
assets = {ASSET}
exchanges = {EXCHANGE}
holders = {HOLDER}
[in_header]
timestamp = 0
[out_header]
timestamp = 0
[intra_header]
timestamp = 0
"""


def matches(configuration, fills, method):
    sets = {kind: TransactionSet(configuration, kind, ASSET, MIN_DATE, MAX_DATE) for kind in ("IN", "OUT", "INTRA")}
    for row, fill in enumerate(fills, 1):
        where = (configuration, fill["time"], ASSET, EXCHANGE, HOLDER)
        quantity, price, fee = (RP2Decimal(fill[name]) for name in ("quantity", "price", "fee"))
        if fill["side"] == "buy":
            entry = InTransaction(*where, "BUY", price, quantity, fiat_fee=fee, row=row)
            sets["IN"].add_entry(entry)
        else:
            # The fee reduces the proceeds, because rp2 has a column only for a fee in kind.
            proceeds = quantity * price - fee
            entry = OutTransaction(*where, "SELL", price, quantity, ZERO, fiat_out_no_fee=proceeds, row=row)
            sets["OUT"].add_entry(entry)
    methods = AVLTree()
    methods.insert_node(MIN_DATE.year, import_module(f"rp2.plugin.accounting_method.{method}").AccountingMethod())
    data = InputData(ASSET, sets["IN"], sets["OUT"], sets["INTRA"])
    computed = compute_tax(configuration, AccountingEngine(methods), data)
    return [
        {
            "sale": one.taxable_event.row,
            "lot": one.acquired_lot.row,
            "quantity": f"{one.crypto_amount:f}",
            "cost": f"{one.fiat_cost_basis:f}",
            "gain": f"{one.fiat_gain:f}",
        }
        for one in computed.gain_loss_set
    ]


def main():
    path = Path("rp2.ini")
    path.write_text(SETTINGS, encoding="utf-8")
    configuration = Configuration(str(path), US())
    cases = json.load(sys.stdin)
    json.dump([matches(configuration, case["fills"], case["method"]) for case in cases], sys.stdout)


main()
