"""Reads Delta tables with delta-rs, and deletes rows on request: a JSON line for each request on standard input, one for each answer on standard output."""

import json
import sys

from deltalake import DeltaTable, QueryBuilder


def answer(asked):
    table = DeltaTable(asked["table"], storage_options=asked.get("options"))
    if "delete" in asked:
        table.delete(asked["delete"])
        table.create_checkpoint()
    found = {
        "version": table.version(),
        "files": sorted(table.file_uris()),
        "schema": [[field.name, field.type.type] for field in table.schema().fields],
    }
    if "sql" in asked:
        batches = QueryBuilder().register("fills", table).execute(asked["sql"])
        found["rows"] = [
            [column[row].as_py() for column in batch.columns] for batch in batches for row in range(batch.num_rows)
        ]
    return found


for line in sys.stdin:
    try:
        print(json.dumps(answer(json.loads(line))), flush=True)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
