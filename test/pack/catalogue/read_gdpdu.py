"""Reads the folder of an index.xml as a tax audit program would: index.xml by the given grammar, and each table as index.xml describes it. Prints the faults."""

import csv
import io
import json
import pathlib
import re
import sys

from lxml import etree


def problems_of(folder, grammar):
    document = etree.parse(folder / "index.xml")
    dtd = etree.DTD(str(grammar))
    if not dtd.validate(document):
        yield from (str(error) for error in dtd.error_log)
    for table in document.iter("Table"):
        yield from (f"{table.findtext('URL')}: {problem}" for problem in problems_of_table(folder, table))


def problems_of_table(folder, table):
    layout = table.find("VariableLength")
    text = (folder / table.findtext("URL")).read_bytes().decode("utf-8" if table.find("UTF8") is not None else "cp1252")
    if not text.endswith(layout.findtext("RecordDelimiter")):
        yield "no record delimiter at the end"
    delimiter, quote = layout.findtext("ColumnDelimiter"), layout.findtext("TextEncapsulator")
    records = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quotechar=quote, strict=True))
    columns = layout.findall("VariableColumn")
    first = int(table.findtext("Range/From"))
    header = [cell.lstrip("\ufeff") for cell in records[first - 2]]
    if header != [column.findtext("Name") for column in columns]:
        yield f"other columns: {header}"
    for number, record in enumerate(records[first - 1 :]):
        if len(record) != len(columns):
            yield f"row {number} has {len(record)} cells"
        for cell, column in zip(record, columns):
            if cell != "" and not fits(cell, column, table.findtext("DecimalSymbol")):
                yield f"row {number}, {column.findtext('Name')}: {cell[:80]!r}"


def fits(cell, column, point):
    if column.find("Numeric") is not None:
        match = re.fullmatch(rf"-?\d+(?:{re.escape(point)}(\d+))?", cell)
        return match is not None and len(match[1] or "") <= int(column.findtext("Numeric/Accuracy"))
    if column.find("Date") is not None:
        return column.findtext("Date/Format") == "YYYY-MM-DD" and re.fullmatch(r"\d{4}-\d\d-\d\d", cell) is not None
    return len(cell) <= int(column.findtext("MaxLength") or sys.maxsize)


print(json.dumps(list(problems_of(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))))
