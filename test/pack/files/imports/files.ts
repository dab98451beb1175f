import type { Booked } from "../../../../lambda/accounting/booked.ts";
import type { Closing, FileMaker } from "../../../../lambda/pack/build/maker.ts";
import type { ImportTotal } from "../../../../lambda/pack/files/imports/import-maker.ts";
import { importMakers, importTotals } from "../../../../lambda/pack/files/imports/imports.ts";
import type { Books } from "../../../accounting/make.ts";

export interface MadeImports {
  /** By name within imports/. */
  readonly texts: ReadonlyMap<string, string>;
  readonly rows: ReadonlyMap<string, number>;
  readonly totals: readonly ImportTotal[];
}

/** The files of imports/. The fills come in batches that begin at 0 and at each of `cuts`. */
export function importsOf({ booked, statement, context }: Books, cuts: readonly number[] = []): MadeImports {
  const makers = importMakers(context);
  const begun = makers.map((maker) => maker.begin());
  // Batch by batch, as in a pack.
  const added = cut(booked, cuts).map((batch) => makers.map((maker) => maker.add(batch)));
  const closing = { statement } as Closing; // these files need nothing else
  const texts = makers.map(
    (maker, at) => begun[at] + added.map((own) => own[at]).join("") + String(maker.end(closing)),
  );
  const nameOf = ({ path }: FileMaker) => path.replace("imports/", "");
  return {
    texts: new Map(makers.map((maker, at) => [nameOf(maker), texts[at] ?? ""])),
    rows: new Map(makers.flatMap((maker) => (maker.rows === undefined ? [] : [[nameOf(maker), maker.rows]]))),
    totals: importTotals(makers),
  };
}

function cut(booked: readonly Booked[], cuts: readonly number[]): (readonly Booked[])[] {
  const borders = [0, ...cuts.toSorted((a, b) => a - b), booked.length];
  return borders.slice(1).map((to, at) => booked.slice(borders[at], to));
}
