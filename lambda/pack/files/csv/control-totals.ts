import type { DeclaredPosition } from "../../../accounting/booked.ts";
import { FillbookError } from "../../../core/errors.ts";
import { counted } from "../../../core/text.ts";
import type { Transfer } from "../../../inputs/transfers.ts";
import { FillSums } from "../../build/fill-sums.ts";
import type { Closing, FileMaker } from "../../build/maker.ts";
import type { ImportTotal } from "../imports/import-maker.ts";
import { type CsvColumn, decimal, REQUIRED, text } from "./columns.ts";
import { type Control, fillsCounted, importCash, realisedRows } from "./controls.ts";
import { CsvMaker } from "./csv-maker.ts";
import { marketControls } from "./market-controls.ts";
import type { RealisedPnlMaker } from "./realised-pnl.ts";

const COLUMNS: readonly CsvColumn<Control>[] = [
  text("control", "Name of the control.", ({ control }) => control, REQUIRED),
  text("currency", "Currency of both sides, if they are amounts.", ({ currency }) => currency),
  text("market", "Market of both sides, if the control is for one market.", ({ market }) => market),
  text("method", "Cost method of both sides, if they depend on it.", ({ method }) => method),
  decimal(
    "left",
    "Left side of the control, described in left_is. Empty if it is not known.",
    (control) => sidesOf(control).left,
  ),
  decimal(
    "right",
    "Right side of the control, described in right_is. Empty if it is not known.",
    (control) => sidesOf(control).right,
  ),
  decimal("difference", "left − right.", (control) => sidesOf(control).difference),
  text(
    "holds",
    "yes, or not applicable: a PnL or position is not known. If a control fails, no pack is made.",
    (control) => sidesOf(control).holds,
    REQUIRED,
  ),
  text("left_is", "What the left side is calculated from.", ({ leftIs }) => leftIs, REQUIRED),
  text("right_is", "What the right side is calculated from.", ({ rightIs }) => rightIs, REQUIRED),
  text("reason", "Why a control is not applicable.", (control) => sidesOf(control).reason),
];

export interface ControlMaterial {
  readonly realised: Pick<RealisedPnlMaker, "totals">;
  /** The totals of the import files, once these have ended. */
  readonly imports: () => readonly ImportTotal[];
  /** transfers.csv within the period. Null: there is none. */
  readonly transfers: readonly Transfer[] | null;
  /** opening-positions.csv */
  readonly declared: readonly DeclaredPosition[];
}

/**
 * control-totals.csv: identities that a reviewer can check from the other files. Its `end` must come after
 * those of the files that it compares. It throws `untrusted` if a control does not hold.
 */
export function controlTotalsMaker(material: ControlMaterial): FileMaker {
  const sums = new FillSums();
  return new CsvMaker<Control>({
    path: "control-totals.csv",
    description:
      "Controls: pairs of figures that are calculated in different ways and must be equal. A reviewer can recalculate them. Each was checked before the pack was published.",
    columns: COLUMNS,
    rowsOf(batch) {
      for (const booked of batch) {
        sums.add(booked);
      }
      return [];
    },
    rowsAtEnd: (closing) => {
      const controls = controlsOf(closing, sums, material);
      refuseBroken(controls);
      return controls;
    },
  });
}

function controlsOf({ statement, proof }: Closing, sums: FillSums, material: ControlMaterial): Control[] {
  const { realised, imports, transfers, declared } = material;
  return [
    fillsCounted(statement, proof.fills),
    ...statement.markets.flatMap((market) =>
      marketControls(market, { statement, sums: sums.markets.get(market.market), declared }),
    ),
    ...realisedRows(statement, realised.totals),
    ...importCash(statement, imports(), transfers),
  ];
}

function refuseBroken(controls: readonly Control[]): void {
  const broken = controls.filter(({ sides }) => !("reason" in sides || sides.left.eq(sides.right)));
  const [first] = broken;
  if (first === undefined) {
    return;
  }
  const { control, leftIs, rightIs } = first;
  const { left, right } = sidesOf(first);
  const whose = [first.market, first.currency, first.method].filter((name) => name !== null && name !== "").join(", ");
  const others =
    broken.length === 1
      ? ""
      : `; ${counted(broken.length - 1, "other control")} also ${broken.length === 2 ? "fails" : "fail"}`;
  throw new FillbookError(
    "untrusted",
    `control-totals.csv: ${control}${whose === "" ? "" : ` of ${whose}`} failed: ${leftIs} is ${left}, but ${rightIs} is ${right}${others}`,
    {
      hint: "nothing was published: either fillbook has a defect, or the archive was changed; run fillbook verify, keep the archive, and report it",
    },
  );
}

function sidesOf({ sides }: Control) {
  if ("reason" in sides) {
    return { left: null, right: null, difference: null, holds: "not applicable", reason: sides.reason };
  }
  const { left, right } = sides;
  return {
    left: String(left),
    right: String(right),
    difference: String(left.minus(right)),
    holds: left.eq(right) ? "yes" : "no",
    reason: null,
  };
}
