import { countOf } from "../../accounting/aggregate.ts";
import { byTimeAndMarket } from "../../accounting/breaks.ts";
import {
  combinedConverted,
  combinedStatement,
  marketOf,
  type OfAccount,
  withMarketOf,
} from "../../accounting/combined.ts";
import type { Funding } from "../../accounting/tally.ts";
import { union } from "../../core/ranges.ts";
import type { Mark } from "../../inputs/marks.ts";
import type { Transfer } from "../../inputs/transfers.ts";
import type { PackFigures } from "../build/figures.ts";
import type { Closing, ExceptionSummary, PackContext, Proof } from "../build/maker.ts";
import type { StatementSettings } from "../build/statement-settings.ts";
import { coverageOf } from "../catalogue/completeness.ts";
import { combinedFills } from "../files/report/shown-trades.ts";

export interface GroupName {
  readonly name: string;
  readonly named: StatementSettings;
}

/** Sorted by account. */
export type Members = readonly [PackFigures, ...PackFigures[]];

/** What the merged fills show: see merged-fills.ts. */
export type FillProof = Pick<Proof, "fills" | "sha256" | "months">;

const MOST_EXCEPTIONS = 1000;

/**
 * Combines the figures of several accounts into those of one pack. Markets carry the name of their account.
 */
export function combined(
  group: GroupName,
  members: Members,
  fills: FillProof,
): Pick<PackFigures, "context" | "closing" | "kept"> {
  return {
    context: contextOf(group, members),
    closing: closingOf(members, fills),
    kept: combinedFills(of(members, ({ kept }) => kept)),
  };
}

function of<T>(members: Members, get: (member: PackFigures) => T): OfAccount<T>[] {
  return members.map((member) => ({ account: member.context.account, own: get(member) }));
}

function contextOf({ name, named }: GroupName, members: Members): PackContext {
  const [{ context }] = members;
  const all = members.map((member) => member.context);
  return {
    ...context,
    account: name,
    accounts: all.map(({ account }) => account),
    named,
    complete: all.every(({ complete }) => complete),
    funding: together<Funding>(all.map(({ account, funding: own }) => ({ account, own }))),
    withoutFunding: all.every(({ funding }) => funding === null)
      ? []
      : all.filter(({ funding }) => funding === null).map(({ account }) => account),
    transfers: listed<Transfer>(all.map(({ transfers }) => transfers))?.sort((a, b) => a.time - b.time) ?? null,
    marks: marksOf(all),
    breaks: all.flatMap(({ account, breaks: own }) => withMarketOf({ account, own })).sort(byTimeAndMarket),
  };
}

/** Null: the user gave no file for any account. */
function listed<T>(lists: readonly (readonly T[] | null)[]): T[] | null {
  return lists.every((list) => list === null) ? null : lists.flatMap((list) => list ?? []);
}

function together<T extends { readonly time: number; readonly market: string }>(
  parts: readonly OfAccount<readonly T[] | null>[],
): T[] | null {
  const renamed = parts.map(({ account, own }) => (own === null ? null : withMarketOf({ account, own })));
  return listed(renamed)?.sort((a, b) => a.time - b.time) ?? null;
}

function marksOf(all: readonly PackContext[]): ReadonlyMap<string, Mark> | null {
  const entries = listed(
    all.map(({ account, marks }) =>
      marks === null ? null : [...marks].map(([market, mark]) => [marketOf(account, market), mark] as const),
    ),
  );
  return entries === null ? null : new Map(entries);
}

function closingOf(members: Members, fills: FillProof): Closing {
  const [first, ...others] = of(members, ({ closing }) => closing);
  const statement = ({ account, own }: OfAccount<Closing>) => ({ account, own: own.statement });
  return {
    statement: combinedStatement([statement(first as OfAccount<Closing>), ...others.map(statement)]),
    proof: proofOf(members, fills),
    exceptions: exceptionsOf(members),
    cash: of(members, ({ closing }) => closing.cash).flatMap(({ account, own }) =>
      own.map((one) => ({ ...one, account })),
    ),
    converted: combinedConverted(of(members, ({ closing }) => closing.converted)),
  };
}

/** A time was read as often as in the account where it was read least. */
function proofOf(members: Members, fills: FillProof): Proof {
  const [{ context }] = members;
  const proofs = of(members, ({ closing }) => closing.proof);
  const days = proofs.flatMap(({ own }) => own.assumed.silenceDays ?? []);
  const declared = proofs.flatMap(({ account, own }) => own.declared.map((text) => `${account}: ${text}`));
  const count = (kind: keyof Proof["restatements"]) => countOf(proofs, ({ own }) => own.restatements[kind]);
  return {
    ...fills,
    complete: proofs.every(({ own }) => own.complete),
    ...coverageOf(context.period, {
      gaps: union(proofs.flatMap(({ own }) => own.gaps)),
      once: proofs.flatMap(({ own }) => own.coverage.filter(({ readings }) => readings === 1)),
    }),
    assumed: {
      silenceDays: days.length === 0 ? null : Math.max(...days),
      vanished: countOf(proofs, ({ own }) => own.assumed.vanished),
    },
    declared,
    restatements: { late: count("late"), changed: count("changed"), enriched: count("enriched") },
  };
}

function exceptionsOf(members: Members): ExceptionSummary {
  const parts = of(members, ({ closing }) => closing.exceptions);
  return {
    count: countOf(parts, ({ own }) => own.count),
    ofFills: countOf(parts, ({ own }) => own.ofFills),
    first: parts
      .flatMap(({ account, own }) =>
        own.first.map((row) => ({ ...row, market: row.market === null ? null : marketOf(account, row.market) })),
      )
      .slice(0, MOST_EXCEPTIONS),
  };
}
