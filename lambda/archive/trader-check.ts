import { FillbookError } from "../core/errors.ts";
import type { Owner } from "../core/owner.ts";

/**
 * `owner`: whose fills a run would get; null: not known. `isRebound`: the user has said that these may
 * replace another trader's fills.
 */
export interface AskingAs {
  readonly owner: Owner | null;
  readonly isRebound: boolean;
}

export interface AskingTrader extends AskingAs {
  /** True if the token names the trader whose fills are held. */
  readonly isSame: boolean;
}

/**
 * Checks the token's owner against `known`, the owner of the archive. Throws `untrusted` if the archive holds
 * another owner's fills. The archive becomes this owner's with the first answer that is committed, or at once
 * if the user rebinds it.
 */
export function askingTrader(known: Owner | null, { owner, isRebound }: AskingAs, archive: string): AskingTrader {
  const before = isRebound ? null : known;
  const refused = (what: string, hint: string) =>
    new FillbookError("untrusted", `${archive} ${what}; no request was sent`, { hint });
  if (owner !== null && before !== null && before.address !== owner.address) {
    throw refused(
      `holds fills from ${before.address}, but the account host is now ${owner.address}`,
      "for another trading account, use another --account or --store; if the service has moved and the trader is the same: fillbook sync --rebind",
    );
  }
  // A subject that is already known is kept if this token has none.
  const [held, sent] = [before?.subject ?? null, owner?.subject ?? null];
  if (held !== null && sent !== null && held !== sent) {
    throw refused(
      "holds the fills of one trader, but the token belongs to another trader",
      "use the token of the archive's trader, or another --account or --store for this trader; if the service has given the same trader a new subject: fillbook sync --rebind",
    );
  }
  return {
    owner: owner && { address: owner.address, subject: sent ?? held },
    isRebound,
    isSame: sent !== null && sent === held,
  };
}
