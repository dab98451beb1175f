import { counted } from "../../core/text.ts";
import { INCOMPLETE_MARK } from "../../pack/build/maker.ts";
import { DAILY } from "../../pack/files/imports/import-maker.ts";
import { TOOLS } from "../../pack/files/imports/imports.ts";
import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { PackDetails, PackFileEntry } from "../packs.ts";
import { sizeText } from "./format.ts";
import { fileLink } from "./links.ts";

/** Files whose purpose this version does not know. */
const OTHERS = "Other files";

/** A pack's files for download, grouped by who needs them. The first group is open. */
export function fileList(account: string, pack: PackDetails): Html {
  const groups = Map.groupBy(pack.files, ({ path }) => purposeOf(path)?.group ?? OTHERS);
  return html`
<div class="groups">${([...GROUPS, OTHERS] as const).map((group) => {
    const files = groups.get(group);
    return files === undefined
      ? null
      : html`
<details${group === BEGIN ? html` open` : null}><summary>${group} <span class="about">${counted(files.length, "file")}</span></summary>
<ul class="rows files">${inOrder(files).map((file) => fileRow(account, pack, file))}
</ul></details>`;
  })}
</div>`;
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
  "report.html": { group: BEGIN, text: "The statement to sign, then charts, detail and proof" },
  "report.pdf": { group: BEGIN, text: "The statement alone, on one page to sign" },
  "workbook.xlsx": {
    group: BEGIN,
    text: "Excel: summary, months, markets, closes, trades, positions and fees, with live totals",
  },
  "summary.csv": { group: ACCOUNTANT, text: "Totals of the period, by currency" },
  "summary-months.csv": { group: ACCOUNTANT, text: "The same totals by month" },
  "summary-markets.csv": { group: ACCOUNTANT, text: "The same totals by market" },
  "summary-market-months.csv": { group: ACCOUNTANT, text: "The same totals by market and month" },
  "balance.csv": { group: ACCOUNTANT, text: "Proof of cash by currency, against the statements that were given" },
  "fees.csv": { group: ACCOUNTANT, text: "Fees and rebates by month and market" },
  "realised-pnl.csv": { group: ACCOUNTANT, text: "Each close, with what it realised and the fills that it came from" },
  "closed-trades.csv": { group: ACCOUNTANT, text: "Positions from flat to flat" },
  "open-positions.csv": { group: ACCOUNTANT, text: "What is still open at the end, by market" },
  "open-lots.csv": { group: ACCOUNTANT, text: "The lots of the open positions" },
  "disposals.csv": { group: ACCOUNTANT, text: "The same closes as purchases and sales, fees included" },
  "carry-forward.csv": {
    group: ACCOUNTANT,
    text: "Information, not advice: gains, losses, and the loss that the period leaves",
  },
  "form-8949.csv": { group: ACCOUNTANT, text: "A US preparer: the lines of Form 8949, in dollars and cents" },
  "form-8949.txf": { group: ACCOUNTANT, text: "A US preparer: the same lines for desktop tax programs" },
  "fills.csv": { group: ACCOUNTANT, text: "The record: one row a fill, exact decimals, UTC times" },
  "fills.parquet": { group: PROGRAMS, text: "The record again, for DuckDB, pandas and other programs" },
  "journal.beancount": { group: PROGRAMS, text: "A plain-text ledger for Beancount: an entry a fill, balanced" },
  "journal.hledger": { group: PROGRAMS, text: "A plain-text ledger for hledger: an entry a fill, balanced" },
  "imports/README.txt": { group: PROGRAMS, text: "How to import each of the files of imports/" },
  "imports/daily/blockpit.xlsx": {
    group: PROGRAMS,
    text: "Blockpit: a row for each day, as the spreadsheet it asks for",
  },
  "imports/quickbooks.csv": { group: PROGRAMS, text: "QuickBooks: manual journals" },
  "exceptions.csv": { group: REVIEWER, text: "What to know about single rows and markets: read it" },
  "restatements.csv": { group: REVIEWER, text: "What came late or changed" },
  "control-totals.csv": { group: REVIEWER, text: "Figures that must agree, with both sides of each" },
  "completeness.json": { group: REVIEWER, text: "What was read, the hash of each month, what is assumed" },
  "index.xml": { group: REVIEWER, text: "A German auditor's software: every file and column described (GDPdU)" },
  "datapackage.json": { group: REVIEWER, text: "Any program: every file and column described" },
  SHA256SUMS: { group: REVIEWER, text: "Hashes of all files: sha256sum -c SHA256SUMS" },
};

const ORDER = Object.keys(PURPOSES);

/** `path`: within the pack. Null if this version does not know the file. */
export function purposeOf(path: string): Purpose | null {
  const plain = path.replace(INCOMPLETE_MARK, "");
  const tool = TOOLS.find(({ file }) => plain === `imports/${file}`);
  if (tool !== undefined) {
    return { group: PROGRAMS, text: `${tool.name}: to import there` };
  }
  const dailyTool = TOOLS.find(({ file }) => plain === `${DAILY}/${file}`);
  if (dailyTool !== undefined) {
    return { group: PROGRAMS, text: `${dailyTool.name}: the same with a row for each day, to import in its place` };
  }
  if (/^imports\/xero(?:-\d+)?\.csv$/.test(plain)) {
    return { group: PROGRAMS, text: "Xero: manual journals" };
  }
  if (/^imports\/datev\/EXTF_.+\.csv$/.test(plain)) {
    return { group: PROGRAMS, text: "DATEV: a month's posting batch, for a German bookkeeper" };
  }
  if (plain.startsWith("inputs/")) {
    return { group: OWN, text: "As it was given" };
  }
  return Object.hasOwn(PURPOSES, plain) ? (PURPOSES[plain] ?? null) : null;
}
