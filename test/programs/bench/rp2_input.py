"""Writes a book for rp2's command: settings and a spreadsheet, in the current folder.

    rp2_input.py BOOK

BOOK has one JSON object a line: side, quantity, price, fee, time. It is only long, in one market.
"""

import json
import sys

from ezodf import Sheet, newdoc

WHERE = ["timestamp", "asset", "exchange", "holder", "transaction_type", "spot_price"]
HEADERS = {
    "in": [*WHERE, "crypto_in", "fiat_fee"],
    "out": [*WHERE, "crypto_out_no_fee", "crypto_fee", "fiat_out_no_fee"],
    "intra": ["timestamp"],
}


def line(fill, kind, *rest):
    return [fill["time"], "BTC", "exchange", "holder", kind, float(fill["price"]), float(fill["quantity"]), *rest]


with open(sys.argv[1], encoding="utf-8") as file:
    fills = [json.loads(text) for text in file]
rows = [["IN"], HEADERS["in"]]
rows += [line(fill, "BUY", float(fill["fee"])) for fill in fills if fill["side"] == "buy"]
rows += [["TABLE END"], [], ["OUT"], HEADERS["out"]]
for fill in fills:
    if fill["side"] == "sell":
        proceeds = float(fill["quantity"]) * float(fill["price"]) - float(fill["fee"])
        rows.append(line(fill, "SELL", 0.0, proceeds))
rows.append(["TABLE END"])

with open("rp2.ini", "w", encoding="utf-8") as file:
    file.write("[general]\nassets = BTC\nexchanges = exchange\nholders = holder\n")
    for name, header in HEADERS.items():
        file.write(f"[{name}_header]\n" + "".join(f"{column} = {at}\n" for at, column in enumerate(header)))
book = newdoc("ods", "book.ods")
sheet = Sheet("BTC", size=(len(rows), len(HEADERS["out"])))
for at, row in enumerate(rows):
    for column, value in enumerate(row):
        sheet[at, column].set_value(value)
book.sheets += sheet
book.save()
