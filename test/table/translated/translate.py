"""Translates Athena SQL to DuckDB SQL: JSON lists on standard input and output. SQL that it cannot parse or write is an error."""

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
