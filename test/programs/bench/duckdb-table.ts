import { join } from "node:path";
import process from "node:process";
import { duckdb } from "../../support/duckdb.ts";

// The typed columns of `table/` as DuckDB makes them of an archive's data files, by its own reader.

const [, , dir = ""] = process.argv;
const amounts = ["quantity", "price", "fees", "triggerPrice"];
const texts = ["market", "orderType", "executionType", "tradeType", "fillType", "triggerType"];
const ids = ["orderId", "matchId", "transactionHash"];
const times = ["filledAt", "txCreated"];
const types = [
  ...[...amounts, ...texts, ...ids].map((name) => `${name}: 'VARCHAR'`),
  ...times.map((name) => `${name}: 'BIGINT'`),
];
await duckdb(`COPY (
  SELECT ${times.map((name) => `make_timestamp(${name} * 1000) AS ${name}`).join(", ")}, ${[...texts, ...ids].join(", ")},
    ${amounts.map((name) => `${name}::DECIMAL(38,18) AS ${name}`).join(", ")},
    price::DECIMAL(16,10) * quantity::DECIMAL(22,8) AS notional
  FROM read_json('${join(dir, "store/main/fills/*/*.zst")}', format = 'newline_delimited', columns = {${types.join(", ")}})
) TO '${join(dir, "duckdb.parquet")}' (FORMAT parquet, COMPRESSION snappy)`);
