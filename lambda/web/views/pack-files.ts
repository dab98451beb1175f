import { counted, sizeText } from "../../core/text.ts";
import { INCOMPLETE_MARK } from "../../pack/make/maker.ts";
import { type Html, html, outside } from "../../pack/report/html.ts";
import type { PackDetails, PackFileEntry } from "../packs.ts";
import { disclosure } from "./components.ts";
import { fileLink } from "./links.ts";

/** Files whose purpose this version does not know. */
const OTHERS = "Other files";

/** A pack's files for download, grouped by who needs them. The first group is open. */
export function fileList(account: string, pack: PackDetails): Html {
  const groups = Map.groupBy<string, PackFileEntry>(
    inOrder(pack.files),
    ({ path }) => purposeOf(path)?.group ?? OTHERS,
  );
  const lists = [...GROUPS, OTHERS].map((group) => {
    const files = groups.get(group) ?? [];
    const name = html`${group} <span class="about">${counted(files.length, "file")}</span>`;
    const rows = html`<ul class="rows files">${files.map((file) => fileRow(account, pack, file))}</ul>`;
    return files.length === 0 ? null : disclosure(name, rows, group === BEGIN);
  });
  return html`<div class="groups">${lists}</div>`;
}

/** As `PURPOSES` has them; other files as they come, after these. */
function inOrder(files: readonly PackFileEntry[]): readonly PackFileEntry[] {
  const placeOf = ({ path }: PackFileEntry) => {
    const place = ORDER.indexOf(path.replace(INCOMPLETE_MARK, ""));
    return place === -1 ? ORDER.length : place;
  };
  return files.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function fileRow(account: string, pack: PackDetails, { path, bytes }: PackFileEntry): Html {
  return html`
<li><a class="name" href="${fileLink(account, pack, path)}">${outside(path)}</a> <span class="about">${purposeOf(path)?.text ?? null}</span> <span class="size">${sizeText(bytes)}</span></li>`;
}

/** What a pack's file is for. */
interface Purpose {
  /** Who needs the file. */
  readonly group: Group;
  readonly text: string;
}

/** In display order. */
const GROUPS = [
  "Start here",
  "For the accountant",
  "For tax and accounting programs",
  "For the reviewer",
  "Your own files",
] as const;
type Group = (typeof GROUPS)[number];

const [BEGIN, ACCOUNTANT, PROGRAMS, REVIEWER, OWN] = GROUPS;

const PURPOSES: Readonly<Record<string, Purpose>> = {
  "report.html": { group: BEGIN, text: "Statement to sign, then details and proof" },
  "workbook.xlsx": {
    group: BEGIN,
    text: "Excel workbook: summary, months, markets, realised PnL, trades, positions and fees, with formulas for totals",
  },
  "summary.csv": { group: ACCOUNTANT, text: "Totals of the period, by currency" },
  "summary-months.csv": { group: ACCOUNTANT, text: "The same totals by month" },
  "summary-days.csv": { group: ACCOUNTANT, text: "The same totals by day and market" },
  "balance.csv": { group: ACCOUNTANT, text: "Proof of cash by currency, compared with your balance statements" },
  "fees.csv": { group: ACCOUNTANT, text: "Fees and rebates by month and market" },
  "realised-pnl.csv": {
    group: ACCOUNTANT,
    text: "Each closing fill, with its PnL, proceeds and cost, and the fills that opened the position",
  },
  "closed-trades.csv": { group: ACCOUNTANT, text: "Positions from flat back to flat" },
  "open-positions.csv": { group: ACCOUNTANT, text: "Open positions at the end of the period, by market" },
  "open-lots.csv": { group: ACCOUNTANT, text: "Lots of the open positions" },
  "transfers.csv": { group: ACCOUNTANT, text: "Deposits and withdrawals of several accounts, and those between them" },
  "form-8949-totals.csv": { group: ACCOUNTANT, text: "The totals of Form 8949 by box" },
  "form-8949-unknown.csv": { group: ACCOUNTANT, text: "Closes that are on no line of Form 8949: PnL is not known" },
  "form-8949.csv": { group: ACCOUNTANT, text: "For a US preparer: the lines of Form 8949, in dollars and cents" },
  "fills.csv": { group: ACCOUNTANT, text: "The record: one row for each fill, exact decimals, UTC times" },
  "fills.parquet": { group: PROGRAMS, text: "The same record for DuckDB, pandas and other programs" },
  "journal.csv": { group: PROGRAMS, text: "Journal by day: debit, credit and counter-account of each entry" },
  "journal.beancount": { group: PROGRAMS, text: "Plain-text ledger for Beancount: balanced entries by day" },
  "journal.hledger": { group: PROGRAMS, text: "Plain-text ledger for hledger: balanced entries by day" },
  "imports/koinly.csv": { group: PROGRAMS, text: "Import file for Koinly" },
  "imports/cointracking.csv": { group: PROGRAMS, text: "Import file for CoinTracking" },
  "imports/summ.csv": { group: PROGRAMS, text: "Import file for Summ (formerly CryptoTaxCalculator)" },
  "imports/cointracker.csv": { group: PROGRAMS, text: "Import file for CoinTracker" },
  "imports/bittytax.csv": { group: PROGRAMS, text: "Import file for BittyTax" },
  "imports/blockpit.xlsx": { group: PROGRAMS, text: "Import file for Blockpit" },
  "imports/rotki.csv": { group: PROGRAMS, text: "Import file for rotki" },
  "exceptions.csv": { group: REVIEWER, text: "What to know about single fills and markets. Read this file" },
  "restatements.csv": { group: REVIEWER, text: "Fills that came late or changed" },
  "control-totals.csv": { group: REVIEWER, text: "Controls: pairs of figures that must be equal" },
  "completeness.json": { group: REVIEWER, text: "What was read, the hash of each month, and the assumptions" },
  "datapackage.json": { group: REVIEWER, text: "For programs: description of every file and column" },
  SHA256SUMS: { group: REVIEWER, text: "Hashes of all files; to check them: sha256sum -c SHA256SUMS" },
};

const ORDER = Object.keys(PURPOSES);

/** `path`: within the pack. Null if this version does not know the file. */
function purposeOf(path: string): Purpose | null {
  const plain = path.replace(INCOMPLETE_MARK, "");
  if (plain.startsWith("inputs/")) {
    return { group: OWN, text: "Unchanged copy" };
  }
  return Object.hasOwn(PURPOSES, plain) ? (PURPOSES[plain] ?? null) : null;
}
