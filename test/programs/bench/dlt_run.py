"""Runs dlt's REST API source once against the service, as its documentation says for rows that come late or change, or dumps its table.

    dlt_run.py load DIR      loads new rows; exits with 1 and a trace if dlt raises an exception
    dlt_run.py dump DIR OUT  writes the table's rows to OUT, one JSON array per line, every cell as text

Environment: SERVICE_URL, SERVICE_TOKEN and SINCE (ms) describe the service.
"""

import json
import os
import sys

DIR = sys.argv[2]
NAME = "completed_orders"
WEEK_MS = 7 * 24 * 3600 * 1000


def endpoint() -> dict:
    """As documented in "REST API source > Incremental loading" and "Incremental loading > Lag"."""
    since = int(os.environ["SINCE"])
    incremental = {"start_param": "startDate", "cursor_path": "txCreated", "initial_value": since, "lag": WEEK_MS}
    return {
        "path": "api/v1/completed-orders",
        "data_selector": "completedOrders",
        "paginator": {"type": "cursor", "cursor_path": "last", "cursor_param": "start"},
        "incremental": incremental,
    }


def load() -> None:
    import dlt
    from dlt.sources.rest_api import rest_api_source

    resource_config = {
        "name": NAME,
        "endpoint": endpoint(),
        "write_disposition": "merge",
        "primary_key": ["matchId", "orderId"],
    }
    source = rest_api_source(
        {
            "client": {
                "base_url": os.environ["SERVICE_URL"],
                "auth": {"type": "bearer", "token": os.environ["SERVICE_TOKEN"]},
            },
            "resources": [resource_config],
        }
    )
    pipeline = dlt.pipeline(
        pipeline_name="fills",
        destination=dlt.destinations.duckdb(os.path.join(DIR, "fills.duckdb")),
        dataset_name="book",
        pipelines_dir=os.path.join(DIR, "pipelines"),
    )
    pipeline.run(source, loader_file_format="parquet")  # "DuckDB > Data loading" recommends it


def dump(path: str) -> None:
    import duckdb

    columns = ["match_id", "order_id", "tx_created", "price", "quantity", "fees"]
    texts = ", ".join(f"{column}::VARCHAR" for column in columns)
    with duckdb.connect(os.path.join(DIR, "fills.duckdb")) as connection, open(path, "w") as out:
        tables = connection.execute("SELECT table_name FROM information_schema.tables").fetchall()
        if (NAME,) in tables:
            for row in connection.execute(f"SELECT {texts} FROM book.{NAME}").fetchall():
                out.write(json.dumps(row) + "\n")


if sys.argv[1] == "dump":
    dump(sys.argv[3])
else:
    load()
