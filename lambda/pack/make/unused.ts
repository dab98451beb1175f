import type { Accounts, DesignatedClose } from "../../accounting/accounts.ts";
import type { Sums } from "../../accounting/cube/scopes.ts";
import type { Designation } from "../../accounting/methods/specific.ts";
import { allProblems, usageError } from "../../core/errors.ts";
import { type Fill, identityOf } from "../../core/fill.ts";
import { counted, firstOf } from "../../core/text.ts";
import { commonRows } from "../../inputs/inputs.ts";
import { declaredFills } from "./adjustments.ts";
import { DATE_BY } from "./date-by.ts";
import { remarksOn } from "./remarks.ts";
import type { PackRequest } from "./request.ts";
import { ofEach, type Selected, unorderedFillsOf } from "./selection.ts";

const MOST = 10;

/** What was made of the user's files. */
interface Use {
  readonly sums: Sums;
  /** By account. */
  readonly accounts: ReadonlyMap<string, Pick<Accounts, "designated" | "traded">>;
}

/**
 * A sentence, without its full stop, for all that the user gave and nothing used, or perhaps not where it should: money
 * must not be left out in silence. Throws `usage` for lines of matches.csv that name no close.
 */
export async function unusedOf(request: PackRequest, selected: readonly Selected[], use: Use): Promise<string[]> {
  const { period } = request;
  const closes = new Map<Selected, string[]>();
  for (const one of selected) {
    closes.set(one, await unmatched(request, one, use.accounts.get(one.account)?.designated ?? new Map()));
  }
  // Accounts may share marks.csv.
  const isOpen = (market: string) =>
    use.sums.holdings.some((held) => held.market === market && held.after.position?.isZero() === false);
  const all = ofEach(selected, (one) => [
    ...(closes.get(one) ?? []),
    ...remarksOn(one, period, { traded: use.accounts.get(one.account)?.traded ?? new Set(), isOpen }),
  ]);
  return [...(selected.length > 1 ? commonRows(selected) : []), ...all, ...unusedRates(request, use)];
}

/** A rate's source begins with the name of its file, and so does each further step of it. */
function unusedRates({ accounts, currency, settings }: PackRequest, { sums }: Use): string[] {
  const names = [...new Set(accounts.flatMap(({ inputs }) => inputs.rates.map(({ name }) => name)))];
  const steps = sums.rates.flatMap(({ source }) => source.split("; "));
  const used = new Set(steps.map((step) => step.split(" ")[0] ?? ""));
  const unused = names.filter((name) => !used.has(name));
  const listed = unused.length > MOST ? counted(unused.length, "file") : unused.join(", ");
  const why = currency === null ? ", because nothing is converted: no currency was chosen" : "";
  const pars = Object.entries(settings.par).filter(
    ([one, other]) => !steps.some((step) => step.endsWith(`(1 ${one} = 1 ${other})`)),
  );
  return [
    ...(unused.length === 0 ? [] : [`${listed} ${unused.length === 1 ? "is" : "are"} not used${why}`]),
    ...firstOf(
      pars.map(([one, other]) => `accounts.json: the par of ${one} and ${other} is not used${why}`),
      MOST,
      (left) => `accounts.json: ${counted(left, "more par is", "more pars are")} not used`,
    ),
  ];
}

async function unmatched(
  request: PackRequest,
  selected: Selected,
  designated: ReadonlyMap<string, DesignatedClose>,
): Promise<string[]> {
  const left = [...(selected.inputs.designations ?? [])].filter(([close]) => designated.get(close) !== "matched");
  const elsewhere = left.some(([close]) => !designated.has(close)) ? await otherFills(request, selected, left) : null;
  const whyOf = (close: string) => elsewhere?.get(close) ?? designated.get(close) ?? "no_fill";
  const problems = left.flatMap(([close, lines]) => {
    const why = whyOf(close);
    return why === "no_fill" || why === "no_close" ? [refusalOf(close, lines, why)] : [];
  });
  const problem = allProblems(problems.slice(0, MOST));
  if (problem !== null) {
    throw problem;
  }
  return left.flatMap(([close, lines]) =>
    lines.map(({ where }) => `${where}: not used, because ${WHY[whyOf(close) as keyof typeof WHY]}`),
  );
}

const WHY = {
  not_known: "the PnL of its close is not known",
  after: "its close is after the end of the period",
  before: "the archive does not cover all of the time from its close up to the period",
} as const;

function refusalOf(close: string, lines: readonly Designation[], why: "no_fill" | "no_close") {
  const [matchId, orderId] = close.split("\0");
  const ids = `the match_id ${matchId} and the order_id ${orderId}`;
  return usageError(
    `${lines[0]?.where}: ${why === "no_fill" ? `no fill has ${ids}` : `the fill with ${ids} closes nothing`}`,
    "in close_match_id and close_order_id, copy match_id and order_id of the closing fill from fills.csv, in this order",
  );
}

/** Where in the archive the closes are that were not booked. */
async function otherFills(
  { period, basis }: PackRequest,
  selected: Selected,
  left: readonly (readonly [close: string, lines: unknown])[],
): Promise<ReadonlyMap<string, "after" | "before">> {
  const closes = new Set(left.map(([close]) => close));
  const found = new Map<string, "after" | "before">();
  const look = async (range: { readonly from: number; readonly to: number }, where: "after" | "before") => {
    const note = (fills: readonly Fill[]) => {
      for (const close of fills.map(identityOf).filter((identity) => closes.has(identity))) {
        found.set(close, where);
      }
    };
    note(declaredFills(selected.inputs.adjustments, range));
    for await (const { fills } of unorderedFillsOf(selected, range, DATE_BY[basis])) {
      note(fills);
    }
  };
  await look({ from: period.to, to: Number.POSITIVE_INFINITY }, "after");
  await look({ from: Number.NEGATIVE_INFINITY, to: selected.since }, "before");
  return found;
}
