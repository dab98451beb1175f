/** The method, for readers of the tables. */
export const METHOD: readonly string[] = [
  "Each trial has its own service (`test/programs/compare/services.ts`; real HTTP on loopback, real time) and its own folder. Each tool runs as a process. If it",
  "reports a failure, it runs again, up to three times in all. Then the rows that it kept are compared with the service's rows, by code that is independent of fillbook (`count.ts`):",
  "**lost**, **doubled**, **invented** and **changed**, where changed means that a time or an amount differs from the service's as an exact decimal. Bold means that the last run",
  "reported success all the same.",
  '"A day later" is later by the clocks of the service and of the Node programs; dlt does not use its clock.',
  "",
  "- **fillbook** is `fillbook sync --hurry` with all other defaults; it finds the beginning of the account itself. With `--from` it is given the beginning, as ccxt and dlt are.",
  "- **plain loop** fetches pages and adds rows while `last` is present (`plain-loop.ts`). It sends no dates and retries nothing.",
  "- **ccxt** is the real package, without a rate limit of its own. Its adapter is written like ccxt's own adapter for an exchange with a cursor beside its rows (`fetchMyTrades` of",
  "  paradex.js). *cursor* and *dynamic* are its pagination helpers for trades (`Exchange.js`: fetchPaginatedCallCursor, …Dynamic; its deterministic one is for candles). It runs with",
  "  its defaults, and *raised* as its manual says: `paginationCalls` 1,000 instead of 10 (Pagination params), `maxRetriesOnFailure` 3 with a delay of 1 s (Retry Mechanism), and",
  "  amounts as text instead of floats (`number = String`, Exchange.js). It keeps no state, so each run reads everything again.",
  "- **dlt** is its REST API source with the paginator `cursor` and `incremental` on `txCreated` (REST API source, Incremental loading), into DuckDB. It runs with its other defaults,",
  "  and *raised* for rows that come late or change: `merge` by primary key with a `lag` of 7 days (Incremental loading, Lag), and Parquet as the file format (DuckDB, Data loading).",
  "",
  "Seconds are measured from the start of the process to its end, so they include some tenths of a second for loading (ccxt, dlt). CPU is user and system time. The peak is the",
  "largest resident set. Besides the rows, fillbook keeps the raw responses, hashes and a manifest; the others keep only rows.",
];

/** Why the other tools are wrong, according to their own sources. */
export const REASONS: readonly string[] = [
  "Reasons, from the tools' sources:",
  "",
  "- ccxt ends after `paginationCalls` as if no more rows existed. Its cursor helper ends at the first page without rows, and it treats a body that is not JSON or has no rows as such",
  "  a page. Its dynamic helper next requests rows that are 1 ms older than the oldest row. It thus skips the rest of that millisecond, and with an exclusive end also the one before.",
  "- dlt ends at the first answer without a cursor, even if that is an error with status 200. The rows loaded by then move the next run's `startDate`, so the rest is not requested",
  "  again. Without a `lag`, rows that appear or change before that date are not requested again either. Rows that come twice become one row only with `merge`.",
  "- None of them compares an answer with the request. A range that is silently cut looks like a short history, and an exclusive start loses a fill at exactly that time.",
];
