import { outsideText } from "../../pack/report/html.ts";
import type { PackDetails, PackEntry, PackNote } from "../packs.ts";
import { netPlain } from "./figures.ts";
import { methodText, momentText } from "./format.ts";

/** What a pack's own file says of the version. */
export function noteOf({ claim }: Pick<PackDetails, "claim">): PackNote {
  return { settings: claim, nets: claim.nets };
}

/**
 * A version as people tell it from others, as plain text: `FIFO · +1,324.50 USD · 26 Nov 2026 08:09 UTC`. Of
 * a version of which nothing is known: when it was made.
 */
export function versionTitle({ madeAt, note }: Pick<PackEntry, "madeAt" | "note">): string {
  const settings = note === null ? [] : settingsWords(note);
  const nets = note === null ? "" : netPlain(note.nets);
  const words = [...settings, nets, momentText(madeAt)];
  return words.filter((word) => word !== "").join(" · ");
}

function settingsWords({ settings: { method, basis, currency } }: PackNote): readonly string[] {
  const byBasis = basis === "fill" ? "" : `, by time of ${outsideText(basis)}`;
  return [`${methodText(method)}${byBasis}${currency === null ? "" : `, in ${outsideText(currency)}`}`];
}
