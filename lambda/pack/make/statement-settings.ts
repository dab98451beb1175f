import { type Form, objectReader } from "./settings-reader.ts";

/** The names on the statement. Null: not given. */
export interface StatementSettings {
  /** The venue's name. */
  readonly venue: string | null;
  readonly client: string | null;
  readonly preparer: string | null;
  /** The preparer's own reference. */
  readonly reference: string | null;
}

export const NOBODY_NAMED: StatementSettings = { venue: null, client: null, preparer: null, reference: null };

const STATEMENT_KEYS = ["venue", "client", "preparer", "reference"] as const;
const NAME: Form = {
  pattern: /^(?=.{1,100}$)[^\p{C}\p{Zl}\p{Zp}]*\S[^\p{C}\p{Zl}\p{Zp}]*$/u,
  write: 'a name in one line, of at most 100 characters, such as "A. Trader"',
};

/** Reads the key `statement` of accounts.json. Throws `usage`. */
export function statementOf(where: string, value: unknown): StatementSettings {
  if (value === undefined) {
    return NOBODY_NAMED;
  }
  const read = objectReader(where, "statement", value, STATEMENT_KEYS);
  return Object.fromEntries(
    STATEMENT_KEYS.map((key) => [key, read.value(key) === undefined ? null : read.text(key, NAME)]),
  ) as Record<keyof StatementSettings, string | null>;
}
