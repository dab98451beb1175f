"""SQL of Athena to SQL of DuckDB: JSON lists on standard input and output. What it cannot read or say is an error."""

import json
import sys

from sqlglot import ErrorLevel, transpile

json.dump(
    [
        transpile(sql, read="athena", write="duckdb", error_level=ErrorLevel.RAISE, unsupported_level=ErrorLevel.RAISE)
        for sql in json.load(sys.stdin)
    ],
    sys.stdout,
)
