import { counted, sizeText } from "../../core/text.ts";
import { TOOLS } from "../../pack/exports/tools.ts";
import { INCOMPLETE_MARK } from "../../pack/make/maker.ts";
import { type Html, html, outside } from "../../pack/report/html.ts";
import type { PackDetails } from "../packs.ts";
import { disclosure } from "./components.ts";
import { fileLink } from "./links.ts";

/** What each file is for, by who needs it; both in display order. */
const PURPOSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Start here": {
    "report.html": "Statement to sign, then details and proof",
    "workbook.xlsx":
      "Excel workbook: cover, summary, months, realised PnL, closed trades, open positions and lots, fees, exceptions",
  },
  "For the accountant": {
    "summary.csv": "Totals of the period, by currency",
    "summary-months.csv": "The same totals by month",
    "summary-days.csv": "The same totals by day and market",
    "balance.csv": "Proof of cash by currency, compared with your balance statements",
    "fees.csv": "Fees and rebates by month and market",
    "realised-pnl.csv": "Each closing fill, with its PnL, proceeds and cost, and the fills that opened the position",
    "closed-trades.csv": "Positions from flat back to flat",
    "open-positions.csv": "Open positions at the end of the period, by market",
    "open-lots.csv": "Lots of the open positions",
    "transfers.csv": "Deposits and withdrawals of several accounts, and those between them",
    "form-8949-totals.csv": "The totals of Form 8949 by box",
    "form-8949-unknown.csv": "Closes that are on no line of Form 8949: PnL is not known",
    "form-8949.csv": "For a US preparer: the lines of Form 8949, in dollars and cents",
    "fills.csv": "The record: one row for each fill, exact decimals, UTC times",
  },
  "For tax and accounting programs": {
    "fills.parquet": "The same record for DuckDB, pandas and other programs",
    "journal.csv": "Journal by day: debit, credit and counter-account of each entry",
    "journal.beancount": "Plain-text ledger for Beancount: balanced entries by day",
    "journal.hledger": "Plain-text ledger for hledger: balanced entries by day",
    ...Object.fromEntries(TOOLS.map(({ name, file }) => [`imports/${file}`, `Import file for ${name}`])),
  },
  "For the reviewer": {
    "exceptions.csv": "What to know about single fills and markets. Read this file",
    "restatements.csv": "Fills that came late or changed",
    "control-totals.csv": "Controls: pairs of figures that must be equal",
    "completeness.json": "What was read, the hash of each month, and the assumptions",
    "datapackage.json": "For programs: description of every file and column",
    SHA256SUMS: "Hashes of all files; to check them: sha256sum -c SHA256SUMS",
  },
};

const OWN = "Your own files";
/** Files whose purpose this version does not know. */
const OTHERS = "Other files";
const KNOWN = Object.entries(PURPOSES).flatMap(([group, files]) =>
  Object.entries(files).map(([name, text]) => ({ name, group, text })),
);

/** A pack's files for download, grouped by who needs them. The first group is open. */
export function fileList(account: string, pack: PackDetails): Html {
  const files = pack.files.map((file) => {
    const plain = file.path.replace(INCOMPLETE_MARK, "");
    const place = KNOWN.findIndex(({ name }) => name === plain);
    const own = plain.startsWith("inputs/") ? { group: OWN, text: "Unchanged copy" } : { group: OTHERS, text: null };
    return { ...file, place, ...(KNOWN[place] ?? own) };
  });
  const groups = Map.groupBy(
    files.toSorted((a, b) => a.place - b.place),
    ({ group }) => group,
  );
  const lists = [...Object.keys(PURPOSES), OWN, OTHERS].map((group, at) => {
    const rows = groups.get(group)?.map(
      ({ path, text, bytes }) => html`
<li><a class="name" href="${fileLink(account, pack, path)}">${outside(path)}</a> <span class="about">${text}</span> <span class="size">${sizeText(bytes)}</span></li>`,
    );
    const name = html`${group} <span class="about">${counted(rows?.length ?? 0, "file")}</span>`;
    return rows === undefined ? null : disclosure(name, html`<ul class="rows files">${rows}</ul>`, at === 0);
  });
  return html`<div class="groups">${lists}</div>`;
}
