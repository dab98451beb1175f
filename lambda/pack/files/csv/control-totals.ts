import { formatAmount } from "../../../accounting/amount.ts";
import type { DeclaredPosition } from "../../../accounting/booked.ts";
import { formatUnits } from "../../../core/decimal.ts";
import { FillbookError } from "../../../core/errors.ts";
import type { Closing, Column, FileMaker } from "../../build/maker.ts";
import type { ImportTotal } from "../imports/import-maker.ts";
import type { CsvRow } from "./cells.ts";
import { rowOf } from "./cells.ts";
import { type Control, fillsCounted, importCash, realisedRows } from "./controls.ts";
import { CsvMaker } from "./csv-maker.ts";
import { marketControls } from "./market-controls.ts";
import { FillSums } from "./market-sums.ts";
import type { RealisedPnlMaker } from "./realised-pnl.ts";

const COLUMNS = [
  { name: "control", kind: "text", required: true, description: "What is compared." },
  { name: "currency", kind: "text", description: "Of both sides, where they are amounts." },
  { name: "market", kind: "text", description: "Of both sides, where they are a market's." },
  { name: "method", kind: "text", description: "Of both sides, where they depend on it." },
  { name: "left", kind: "decimal", description: "left_is. Empty where it is not known." },
  { name: "right", kind: "decimal", description: "right_is. Empty where it is not known." },
  { name: "difference", kind: "decimal", description: "left − right." },
  {
    name: "holds",
    kind: "text",
    required: true,
    description: "yes, or not applicable: PnL or position is not known. A pack in which one does not hold is not made.",
  },
  { name: "left_is", kind: "text", required: true, description: "What the left side is." },
  { name: "right_is", kind: "text", required: true, description: "What the right side is." },
  { name: "reason", kind: "text", description: "Why a control is not applicable." },
] as const satisfies readonly Column[];

export interface ControlMaterial {
  readonly realised: Pick<RealisedPnlMaker, "totals">;
  /** Of the import files, when they have ended. */
  readonly imports: () => readonly ImportTotal[];
  /** opening-positions.csv */
  readonly declared: readonly DeclaredPosition[];
}

/**
 * control-totals.csv: identities that a reviewer can redo from the other files. Its `end` comes after those of the files that it compares; it throws
 * `untrusted` when a control does not hold.
 */
export function controlTotalsMaker(material: ControlMaterial): FileMaker {
  const sums = new FillSums();
  return new CsvMaker({
    path: "control-totals.csv",
    description:
      "Pairs of figures that are reached by different ways and must be the same, for a reviewer to redo. Each was checked before the pack was published.",
    columns: COLUMNS,
    rowsOf: (booked) => {
      sums.add(booked);
      return [];
    },
    rowsAtEnd: (closing) => {
      const controls = controlsOf(closing, sums, material);
      refuseBroken(controls);
      return controls.map(rowOfControl);
    },
  });
}

function controlsOf({ statement, proof }: Closing, sums: FillSums, material: ControlMaterial): Control[] {
  const { realised, imports, declared } = material;
  return [
    fillsCounted(statement, proof.fills),
    ...statement.markets.flatMap((market) =>
      marketControls(market, { statement, sums: sums.markets.get(market.market), declared }),
    ),
    ...realisedRows(statement, realised.totals),
    ...importCash(statement, imports()),
  ];
}

function refuseBroken(controls: readonly Control[]): void {
  const broken = controls.filter(({ sides }) => !("reason" in sides) && sides.left !== sides.right);
  const [first] = broken;
  if (first === undefined) {
    return;
  }
  const { control, leftIs, rightIs } = first;
  const { left, right } = rowTexts(first);
  const whose = [first.market, first.currency, first.method].filter((name) => name !== null && name !== "").join(", ");
  const others = broken.length === 1 ? "" : `; ${broken.length - 1} more do not hold`;
  throw new FillbookError(
    "untrusted",
    `control-totals.csv: ${control}${whose === "" ? "" : ` of ${whose}`} does not hold: ${leftIs} is ${left}, ${rightIs} is ${right}${others}`,
    {
      hint: "nothing was published: this is a fault of fillbook, or its archive was changed; run `fillbook verify`, keep the archive, and report it",
    },
  );
}

const FORMATS = { amount: formatAmount, quantity: formatUnits, count: String } as const;

function rowTexts({ sides, unit }: Control) {
  if ("reason" in sides) {
    return { left: null, right: null, difference: null, holds: "not applicable", reason: sides.reason };
  }
  const { left, right } = sides;
  const format = (value: bigint) => FORMATS[unit](value);
  return {
    left: format(left),
    right: format(right),
    difference: format(left - right),
    holds: left === right ? "yes" : "no",
    reason: null,
  };
}

function rowOfControl(control: Control): CsvRow {
  return rowOf(COLUMNS, {
    control: control.control,
    currency: control.currency,
    market: control.market,
    method: control.method,
    left_is: control.leftIs,
    right_is: control.rightIs,
    ...rowTexts(control),
  });
}
