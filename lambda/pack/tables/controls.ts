import { type Cell, projected } from "../../accounting/cube/cell.ts";
import type { Sums } from "../../accounting/cube/scopes.ts";
import { type Amount, tenTo, totalOf, wholeNumber, ZERO } from "../../core/amount.ts";
import { FillbookError } from "../../core/errors.ts";
import { counted } from "../../core/text.ts";
import type { ImportTotal } from "../exports/import-maker.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import { account, note, REQUIRED, rate, text } from "./column.ts";
import { type Control, type FillSums, marketControls } from "./control.ts";
import { type Form8949Totals, USD } from "./form-8949.ts";
import type { MatchedTransfer } from "./match-transfers.ts";
import type { Table } from "./table.ts";

export interface ControlMaterial {
  readonly sums: FillSums;
  /** The totals of the import files, once these have ended. */
  readonly imports: () => readonly ImportTotal[];
  /** The form's totals, once it has ended. Null: there is no form. */
  readonly form: Form8949Totals | null;
  /** Within the period. */
  readonly transfers: readonly MatchedTransfer[];
}

/**
 * control-totals.csv: identities that a reviewer can check from the other files. Its end must come after
 * those of the files that it compares. It throws `untrusted` if a control does not hold.
 */
export function controlsTable(context: PackContext, material: ControlMaterial): Table<Control> {
  return {
    path: "control-totals.csv",
    description:
      "Controls: pairs of figures that are calculated in different ways and must be equal, or differ by no more than rounding. A reviewer can recalculate them. Each was checked before the pack was published.",
    columns: [
      text("control", "Name of the control.", ({ control }) => control, REQUIRED),
      {
        ...account<Control>((row) => row.account),
        description: "Account of both sides. Empty: all accounts.",
        ...{ required: undefined },
      },
      text("currency", "Currency of both sides, if they are amounts.", ({ currency }) => currency),
      text("market", "Market of both sides, if the control is for one market.", ({ market }) => market),
      text("method", "Cost method of both sides, if they depend on it.", ({ method }) => method),
      rate(
        "left",
        "Left side of the control, described in left_is. Empty if it is not known.",
        (control) => sidesOf(control).left,
      ),
      rate(
        "right",
        "Right side of the control, described in right_is. Empty if it is not known.",
        (control) => sidesOf(control).right,
      ),
      rate(
        "difference",
        "left − right: nothing, or rounding that right_is explains.",
        (control) => sidesOf(control).difference,
      ),
      text(
        "holds",
        "yes, or not applicable: a PnL or position is not known. If a control fails, no pack is made.",
        (control) => sidesOf(control).holds,
        REQUIRED,
      ),
      note("left_is", "What the left side is calculated from.", ({ leftIs }) => leftIs, REQUIRED),
      note("right_is", "What the right side is calculated from.", ({ rightIs }) => rightIs, REQUIRED),
      text("reason", "Why a control is not applicable.", (control) => sidesOf(control).reason),
    ],
    rows: {
      atEnd: (closing) => {
        const controls = controlsOf(context, closing, material);
        refuseBroken(controls);
        return controls;
      },
    },
  };
}

function controlsOf(context: PackContext, { sums, proof }: Closing, material: ControlMaterial): Control[] {
  return [
    fillsCounted(sums, proof),
    ...sums.holdings.flatMap((holding) => marketControls(holding, { context, sums, fills: material.sums })),
    ...context.accounts.flatMap(({ account: name }) =>
      realisedRows(
        name,
        projected(
          sums.cells.filter((cell) => cell.account === name),
          ["currency"],
        ),
        material.sums,
      ),
    ),
    ...formGains(sums, material.form),
    ...importCash(projected(sums.cells, ["currency"]), material),
  ];
}

function fillsCounted({ cells }: Sums, { fills, declaredTrades }: Closing["proof"]): Control {
  const added = cells.reduce((sum, cell) => sum + cell.fills + cell.untyped, 0);
  return {
    ...{ control: "fills_counted", account: "", currency: null, market: null, method: null },
    leftIs: `number of rows in fills.csv${declaredTrades === 0 ? "" : ", plus the trades that the user declared in adjustments.csv"}`,
    rightIs: "sum of fills in fees.csv (of every liquidity)",
    sides: { left: wholeNumber(fills + declaredTrades), right: wholeNumber(added) },
  };
}

/** The rows of realised-pnl.csv add up to summary.csv. `cells`: by currency. */
function realisedRows(name: string, cells: readonly Cell[], sums: FillSums): Control[] {
  return cells.flatMap(({ currency, gross, fees }) => {
    const rows = sums.realised(name, currency ?? "");
    const control = (which: string, columns: readonly [string, string], left: Amount, right: Amount): Control => ({
      ...{ control: which, account: name, currency, market: null, method: null },
      leftIs: `sum of ${columns[0]} in realised-pnl.csv`,
      rightIs: `${columns[1]} in summary.csv`,
      sides: { left, right },
    });
    return [
      control("realised_gross", ["gross_pnl", "gross_pnl"], rows.gross, gross),
      control("realised_fees", ["open_fee + close_fee", "fees_recognised"], rows.fees, fees),
    ];
  });
}

/** Each line's proceeds and basis are whole cents, so a line is off by a cent at most. */
function formGains({ cells }: Sums, form: Form8949Totals | null): Control[] {
  return form === null
    ? []
    : projected(cells, ["account"]).map(({ account: name, converted }): Control => {
        const own = form.rows.filter((row) => row.account === name);
        const lines = own.reduce((sum, row) => sum + row.lines, 0);
        return {
          ...{ control: "form_8949", account: name ?? "", currency: USD, market: null, method: null },
          leftIs: "sum of gain_or_loss in form-8949-totals.csv",
          rightIs: `sum of net_converted in summary.csv: the rounding of ${counted(lines, "line")}, at most a cent each, is the difference`,
          within: tenTo(-2).times(wholeNumber(lines)),
          sides: {
            left: totalOf(own, ({ proceeds, cost }) => proceeds.minus(cost)),
            right: converted?.gross.minus(converted.fees) ?? ZERO,
          },
        };
      });
}

/** Each import file moves the margin balances by as much as the fills did, as far as PnL is known. */
function importCash(cells: readonly Cell[], { imports, transfers }: ControlMaterial): Control[] {
  return [...Map.groupBy(imports(), ({ file }) => file)].flatMap(([file, own]) => {
    const currencies = new Set([...cells, ...own, ...transfers].map(({ currency }) => currency ?? ""));
    return [...currencies].sort().map((currency): Control => {
      const cell = cells.find((one) => one.currency === currency);
      const settled = cell?.gross.minus(cell.feesPaid).minus(cell.rebates).plus(cell.funding) ?? ZERO;
      const moved = own.filter((one) => one.currency === currency);
      const transferred = transfers.filter((one) => one.currency === currency);
      return {
        ...{ control: "import_cash", account: "", currency, market: null, method: null },
        leftIs: `amounts in less amounts out, in ${file}`,
        rightIs: `gross_pnl − fees_paid − rebates + funding in summary.csv${transfers.length === 0 ? "" : ", plus the amounts in transfers.csv"}`,
        sides: {
          left: totalOf(moved, (one) => one.in.minus(one.out)),
          right: settled.plus(totalOf(transferred, ({ amount }) => amount)),
        },
      };
    });
  });
}

function refuseBroken(controls: readonly Control[]): void {
  const broken = controls.find((one) => sidesOf(one).holds === "no");
  if (broken !== undefined) {
    const { control, leftIs, rightIs, market, currency, method } = broken;
    const { left, right } = sidesOf(broken);
    const whose = [market, currency, method].filter(Boolean).join(", ");
    throw new FillbookError(
      "untrusted",
      `control-totals.csv: ${control}${whose === "" ? "" : ` of ${whose}`} failed: ${leftIs} is ${left}, but ${rightIs} is ${right}`,
      {
        hint: "nothing was published: either fillbook has a defect, or the archive was changed; run fillbook verify, keep the archive, and report it",
      },
    );
  }
}

function sidesOf({ sides, within = ZERO }: Control) {
  if ("reason" in sides) {
    return { left: null, right: null, difference: null, holds: "not applicable", reason: sides.reason };
  }
  const { left, right } = sides;
  return {
    left: String(left),
    right: String(right),
    difference: String(left.minus(right)),
    holds: left.minus(right).abs().lte(within) ? "yes" : "no",
    reason: null,
  };
}
