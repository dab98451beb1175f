import { readAmount } from "../../core/amount.ts";
import { fieldsOf } from "../../core/record.ts";
import type { NetFigure, PackNote } from "../packs.ts";

/** Parses the figures that completeness.json and latest.json state. Null: they are not there. */
export function parseNets(value: unknown): readonly NetFigure[] | null {
  if (!Array.isArray(value)) {
    return null;
  }
  return value.flatMap((one) => {
    const { currency, amount, funding, partial } = fieldsOf(one);
    return typeof currency === "string"
      ? [
          {
            currency,
            net: typeof amount === "string" ? readAmount(amount) : null,
            isFundingIncluded: funding === "included",
            isPartial: partial === true,
          },
        ]
      : [];
  });
}

/** Parses a note of latest.json. Null if it is none. */
export function parseNote(value: Readonly<Record<string, unknown>>): PackNote | null {
  const { method, method_chosen: isMethodChosen, basis, currency, net } = value;
  const nets = parseNets(net);
  return typeof method === "string" && typeof basis === "string" && nets !== null
    ? {
        settings: {
          method,
          isMethodChosen: isMethodChosen === true,
          basis,
          currency: typeof currency === "string" ? currency : null,
        },
        nets,
      }
    : null;
}
