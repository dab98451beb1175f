"""Writes a book for rp2's command: settings and a spreadsheet, in the current folder.

    rp2_input.py BOOK

BOOK has one JSON object a line: side, quantity, price, fee, time. It is only long, in one market.
"""

import json
import sys
import zipfile

SETTINGS = """[general]
assets = BTC
exchanges = exchange
holders = holder
[in_header]
timestamp = 0
asset = 1
exchange = 2
holder = 3
transaction_type = 4
spot_price = 5
crypto_in = 6
fiat_fee = 7
[out_header]
timestamp = 0
asset = 1
exchange = 2
holder = 3
transaction_type = 4
spot_price = 5
crypto_out_no_fee = 6
crypto_fee = 7
fiat_out_no_fee = 8
[intra_header]
timestamp = 0
"""
COLUMNS = 9
OFFICE = "urn:oasis:names:tc:opendocument:xmlns"
MIME = "application/vnd.oasis.opendocument.spreadsheet"


def cell(value):
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, float):
        return f'<table:table-cell office:value-type="float" office:value="{value!r}"/>'
    return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'


def row(*values):
    cells = [cell(value) for value in values] + [cell(None)] * (COLUMNS - len(values))
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def line(fill, *rest):
    kind = "BUY" if fill["side"] == "buy" else "SELL"
    return row(fill["time"], "BTC", "exchange", "holder", kind, float(fill["price"]), float(fill["quantity"]), *rest)


with open(sys.argv[1], encoding="utf-8") as file:
    fills = [json.loads(text) for text in file]
head = row(*["head"] * COLUMNS)
rows = [row("IN"), head]
rows += [line(fill, float(fill["fee"])) for fill in fills if fill["side"] == "buy"]
rows += [row("TABLE END"), row(), row("OUT"), head]
for fill in fills:
    if fill["side"] == "sell":
        proceeds = float(fill["quantity"]) * float(fill["price"]) - float(fill["fee"])
        rows.append(line(fill, 0.0, proceeds))
rows.append(row("TABLE END"))
spaces = " ".join(f'xmlns:{name}="{OFFICE}:{name}:1.0"' for name in ("office", "table", "text"))
body = f'<office:body><office:spreadsheet><table:table table:name="BTC">{"".join(rows)}</table:table></office:spreadsheet></office:body>'
entry = '<manifest:file-entry manifest:full-path="{}" manifest:media-type="{}"/>'
with open("rp2.ini", "w", encoding="utf-8") as file:
    file.write(SETTINGS)
with zipfile.ZipFile("book.ods", "w") as archive:
    archive.writestr("mimetype", MIME)
    archive.writestr("content.xml", f'<office:document-content {spaces} office:version="1.2">{body}</office:document-content>')
    archive.writestr(
        "META-INF/manifest.xml",
        f'<manifest:manifest xmlns:manifest="{OFFICE}:manifest:1.0">{entry.format("/", MIME)}{entry.format("content.xml", "text/xml")}</manifest:manifest>',
    )
