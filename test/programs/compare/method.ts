/** What is compared, and how, for the reader of the tables. */
export const METHOD: readonly string[] = [
  "Each trial is a service of its own (`test/programs/compare/services.ts`; real HTTP on loopback, real time) and a folder of its own. A tool runs as its own process; one that says",
  "that it failed is run again, three times at most. Then what it keeps is compared with what the service has, by code that shares nothing with fillbook (`count.ts`):",
  "**lost**, **doubled**, **invented**, and **changed**: a time or an amount that is not the service's, as an exact decimal. Bold: the last run ended",
  "as if nothing were wrong. Every figure of every trial is at the end.",
  "What is a day later is so by the clocks of the service and of the Node programs; dlt does not ask its own.",
  "",
  "- **fillbook** is `fillbook sync`, all defaults (it finds the beginning of the account by itself); with `--from` it is told the beginning, as ccxt and dlt are.",
  "- **plain loop**: fetch, add up, go on while `last` (`plain-loop.ts`). Dates are not sent; nothing is tried twice.",
  "- **ccxt** is the real package, with an adapter written like its own for an exchange with a cursor beside its rows (`fetchMyTrades` of paradex.js), and with no rate limit of its",
  "  own. *cursor* and *dynamic* are its pagination helpers for trades (`Exchange.js`: fetchPaginatedCallCursor, …Dynamic; its deterministic one is for candles). With its defaults,",
  "  and *raised* as its manual says: `paginationCalls` 1,000 instead of 10 (Pagination params), `maxRetriesOnFailure` 3 with a delay of 1 s (Retry Mechanism), and amounts as text",
  "  instead of floats (`number = String`, Exchange.js). It keeps no state: each run reads everything again.",
  "- **dlt** is its REST API source with the paginator `cursor` and `incremental` on `txCreated` (REST API source, Incremental loading), into DuckDB. Otherwise its defaults;",
  "  and *raised* for rows that come late or change: `merge` by primary key with a `lag` of 7 days (Incremental loading, Lag), and Parquet as the file format (DuckDB, Data loading).",
  "",
  "Seconds are from the start of the process to its end, so that some tenths of a second of loading (ccxt, dlt) are in them; CPU is user and system time; the peak is the",
  "largest resident set. fillbook keeps the answers themselves, hashes and a manifest beside the rows; the others keep rows alone.",
];

/** Why each of the others is wrong where it is, from its own sources. */
export const REASONS: readonly string[] = [
  "Why, from their sources:",
  "",
  "- ccxt ends after `paginationCalls` as if there were no more. Its cursor helper ends at the first page without rows, and a body that is not JSON, or has no rows in it, is one.",
  "  Its dynamic helper asks next for what is older than the oldest row by 1 ms, so that the rest of that millisecond is not asked for, nor with an exclusive end the one before it.",
  "- dlt ends at the first answer without a cursor, an error with status 200 included; what it has loaded by then moves the next run's `startDate`, and the rest is not asked for again.",
  "  Without a `lag`, what appears or changes before that date is not asked for either. Rows that come twice are one row with `merge` alone.",
  "- None of them compares an answer with what was asked: a range that is cut in silence looks like a short history, and an exclusive start loses a fill at that very time.",
];
