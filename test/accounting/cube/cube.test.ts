import { test } from "@fast-check/vitest";
import { expect } from "vitest";
import type { Cell } from "../../../lambda/accounting/cube/cell.ts";
import { projected } from "../../../lambda/accounting/cube/project.ts";
import { drawn } from "../draw-books.ts";
import { booksOf, cubeOf, inCurrency } from "../make.ts";
import { TO_EUROS } from "../rates/make.ts";

const RUNS = { numRuns: 150 };

test.prop([drawn, drawn], RUNS)(
  "a cube of two accounts has the cells of both, and the rates of both together",
  (one, other) => {
    const [a, b] = [
      inCurrency(booksOf(one.fills, { ...one.options, account: "a" }), TO_EUROS),
      inCurrency(booksOf(other.fills, { ...other.options, account: "b" }), TO_EUROS),
    ];
    const booked = [...a.booked, ...b.booked].sort((left, right) => left.time - right.time);
    const together = { booked, context: { ...a.context, accounts: [a.own, b.own] } };
    const [both, ...alone] = [together, a, b].map((books) => cubeOf(books, one.cuts).cube);
    const cells = alone.flatMap((own) => own.cells);
    const names = ["month", "market", "currency", "account", "kind"] as const;
    expect(both?.cells).toEqual(projected(cells, names));
    const lines = (uses: readonly { readonly lines: number }[]) => uses.reduce((sum, use) => sum + use.lines, 0);
    expect(lines(both?.uses.all ?? [])).toBe(lines(alone.flatMap((own) => own.uses.all)));
  },
);

test.prop([drawn], RUNS)(
  "the cube's days come in order, once each, and add up to its months",
  ({ fills, options, cuts }) => {
    const { cube, batches } = cubeOf(inCurrency(booksOf(fills, options), TO_EUROS), cuts);
    const [days, { cells }] = [batches.flat(), cube];
    expect(days.map(({ day }) => day)).toEqual([...new Set(days.map(({ day }) => day))].sort());
    const names = ["month", "market", "currency", "kind"] as const;
    const ofDays = projected(
      days.flatMap((day) => day.cells),
      names,
    );
    const ofMonths = projected(
      cells.map((cell) => ({ ...cell, breaks: 0 })),
      names,
    );
    const isEmpty = ({ fills: typed, untyped, payments, funding }: Cell) =>
      typed + untyped + payments === 0 && funding.isZero();
    expect(ofDays.filter((cell) => !isEmpty(cell))).toEqual(ofMonths.filter((cell) => !isEmpty(cell)));
    for (const { day, cells: own } of days) {
      expect(own.every((cell) => cell.day === day && day.startsWith(cell.month ?? ""))).toBe(true);
    }
  },
);
