"""Prints a workbook as JSON with openpyxl, a reader that shares no code with the writer."""

import datetime
import json
import sys
import zipfile

import openpyxl
from openpyxl.utils.escape import unescape


def shown(value):
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, str):
        return unescape(value)
    return None if value is None else repr(value)


def main(path):
    with zipfile.ZipFile(path) as archive:
        entries = [{"name": one.filename, "time": list(one.date_time)} for one in archive.infolist()]
        broken = archive.testzip()
    workbook = openpyxl.load_workbook(path)
    sheets = []
    for sheet in workbook:
        cells = [
            {
                "at": cell.coordinate,
                "type": cell.data_type,
                "value": shown(cell.value),
                "format": cell.number_format,
            }
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None
        ]
        sheets.append(
            {
                "name": sheet.title,
                "frozen": sheet.freeze_panes,
                "titles": sheet.print_title_rows,
                "landscape": sheet.page_setup.orientation == "landscape",
                "fit": [sheet.sheet_properties.pageSetUpPr.fitToPage, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight],
                "cells": cells,
            }
        )
    facts = workbook.properties
    json.dump(
        {
            "sheets": sheets,
            "entries": entries,
            "broken": broken,
            "title": facts.title,
            "creator": facts.creator,
            "created": facts.created.isoformat(),
            "modified": facts.modified.isoformat(),
        },
        sys.stdout,
    )


main(sys.argv[1])
