import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exportGroup } from "../../lambda/job/export-group.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { makeHistory } from "../emulator/history.ts";
import { duckdb } from "../support/duckdb.ts";
import { makeBench } from "../support/job.ts";

// DuckDB adds up the fills of both accounts from Parquet alone, and compares them with the tables.

const YEAR = parsePeriod("us-2025");
const ACCOUNTS = ["hedge", "main"];
let folder = "";
let out = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fillbook-group-"));
  out = join(folder, "out");
  const store = openFolderStore(join(folder, "store"));
  const seeds: Readonly<Record<string, number>> = { main: 5, hedge: 9 };
  const jobOf = (account: string) => {
    const history = makeHistory({
      seed: seeds[account] ?? 1,
      fills: 600,
      from: Date.UTC(2025, 0, 3),
      to: Date.UTC(2025, 11, 29),
      ties: 3,
    });
    return Promise.resolve(makeBench({ history, job: { account, store } }).job);
  };
  const request = {
    period: YEAR,
    method: "fifo",
    isMethodChosen: true,
    basis: "fill",
    allowIncomplete: false,
    out,
  } as const;
  for (const account of ACCOUNTS) {
    await exportPack(await jobOf(account), { ...request, out: join(folder, account) });
  }
  await exportGroup({ name: "both", accounts: ACCOUNTS }, jobOf, request);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const csv = (path: string) => `read_csv('${join(out, path)}', all_varchar = true)`;
const parquet = (path: string) => `read_parquet('${join(out, path)}')`;

test("the fills are those of the accounts' own packs, each once, in order", async () => {
  const own = ACCOUNTS.map((name) => `select * from ${parquet(`../${name}/fills.parquet`)}`);
  const [row] = await duckdb(`
    with apart as (${own.join(" union all ")}), joined as (select * from ${parquet("fills.parquet")})
    select (select count(*) from joined) as fills,
      (select count(*) from (select match_id, order_id from joined group by all)) as identities,
      (select count(*) from (from joined except all from apart)) as more,
      (select count(*) from (from apart except all from joined)) as fewer`);
  expect(row).toEqual({ fills: "1200", identities: "1200", more: "0", fewer: "0" });
});

test("fees of each account equal the sums of the fills", async () => {
  const sums = "sum(greatest(fee, 0))::varchar as paid, count(*)::varchar as fills";
  const trimmed = (name: string) => `rtrim(rtrim(${name}, '0'), '.') as ${name}`;
  const names = [trimmed("paid"), "fills"].join(", ");
  const perAccount = await duckdb(`
    select account, fee_currency as currency, ${names}
    from (select account, fee_currency, ${sums} from ${parquet("fills.parquet")} group by all) order by all`);
  expect(perAccount).toHaveLength(4);
  const said = await duckdb(
    `select account, currency, fees_paid as paid, fills from ${csv("summary.csv")} order by all`,
  );
  expect(said).toEqual(perAccount);
});

test("the tables of the group are the tables of the accounts, appended", async () => {
  for (const path of ["realised-pnl.csv", "closed-trades.csv", "open-lots.csv", "fees.csv", "summary-days.csv"]) {
    const [row] = await duckdb(`
      select (select count(*) from ${csv(path)}) as joined,
        (select count(*) from ${csv(`../hedge/${path}`)}) + (select count(*) from ${csv(`../main/${path}`)}) as both`);
    expect([path, row?.["joined"]]).toEqual([path, row?.["both"]]);
  }
  const gain = (path: string) => `(select sum(gross_pnl::decimal(38, 18)) from ${csv(path)})`;
  const [sums] = await duckdb(`
    select ${gain("realised-pnl.csv")} = ${gain("../hedge/realised-pnl.csv")} + ${gain("../main/realised-pnl.csv")} as same`);
  expect(sums).toEqual({ same: true });
});
