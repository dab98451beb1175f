import { counted, firstOf } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { pointText } from "../../core/verdict.ts";
import { assumptionsOf } from "../catalogue/assumptions.ts";
import { basisFacts, CODES, type Fact, proofFacts, statementFacts } from "../catalogue/facts.ts";
import { verdictOf } from "../catalogue/verdict.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import { note, text } from "../tables/column.ts";
import type { SheetTable } from "../tables/table.ts";

/** The most gaps that are written out. completeness.json has all. */
const GAPS = 50;

const READING: readonly Fact[] = [
  [
    "Record",
    "The CSV and Parquet files are the record; this workbook is a view of them. A spreadsheet keeps 15 significant digits of a number, so amounts are rounded here.",
  ],
  [
    "Rounding of displayed amounts",
    "Cells are rounded half even to 8 decimal places, or to fewer if the column has no room for them, and hold what they show. Totals are added up exactly and rounded once. Summary has the exact text beside each amount. For all other amounts, the CSV files have it.",
  ],
  [
    "Empty cells",
    "If PnL is not known, the cell is empty, never 0. A note or status gives the reason as one of the codes above. A partial total excludes what is not known.",
  ],
  [
    "Text",
    "IDs and all text from the venue are text cells. Control characters are shown as \uFFFD. Text of more than 32,767 characters is cut, with a note of its length. The CSV files have the full text.",
  ],
  [
    "Other files",
    "SHA256SUMS lists every file of the pack (to check them, run `sha256sum -c SHA256SUMS`). datapackage.json describes every file and column. completeness.json has the proof of completeness.",
  ],
];

/** A sheet: what the workbook is, and what a reader must know. */
export function coverTable(context: PackContext): SheetTable<readonly [part: string, ...Fact]> {
  return {
    path: "completeness.json",
    description: "",
    columns: [
      text("part", "", ([part]) => part, { width: 24 }),
      note("about", "", ([, label]) => label, { width: 30 }),
      note("text", "", ([, , fact]) => fact, { width: 96 }),
    ],
    sheet: { title: "Cover", about: "What it is, and what a reader must know.", nothing: "" },
    rows: { atEnd: (closing) => factsOf(context, closing) },
  };
}

function factsOf(context: PackContext, closing: Closing) {
  const { proof } = closing;
  const { claim, text: standing, points } = verdictOf(context, closing);
  const gaps = firstOf(
    proof.gaps.map(({ from, to }) => `${isoTime(from)} to ${isoTime(to)}`),
    GAPS,
    (left) => `${counted(left, "more gap is", "more gaps are")} in completeness.json.`,
  );
  const parts: readonly (readonly [part: string, readonly Fact[]])[] = [
    ["Statement", statementFacts(context, closing)],
    [
      "Completeness",
      [
        ["Verdict", `${claim}. ${standing}`],
        ...points.map((point): Fact => ["To note", pointText(point)]),
        ...proofFacts(context, closing),
        ...gaps.map((gap): Fact => ["Not covered", gap]),
      ],
    ],
    ["Basis of preparation", basisFacts(context, closing)],
    ["Assumptions", assumptionsOf(proof).map((fact) => ["", fact])],
    ["Codes and signs", CODES],
    ["How to read this workbook", READING],
  ];
  return parts.flatMap(([part, facts]) => facts.map((fact) => [part, ...fact] as const));
}
