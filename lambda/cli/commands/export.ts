import { METHODS } from "../../accounting/method.ts";
import { meantCurrency } from "../../core/currency.ts";
import { formatUnits } from "../../core/decimal.ts";
import { FillbookError } from "../../core/errors.ts";
import { customPeriod, localTime, type Period, parsePeriod, takenFor } from "../../core/period.ts";
import { nearest } from "../../core/suggest.ts";
import { count } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { BALANCE_COLUMNS } from "../../inputs/balances.ts";
import { declaredTexts } from "../../inputs/declared-line.ts";
import { FUNDING_COLUMNS } from "../../inputs/funding.ts";
import { MARK_COLUMNS } from "../../inputs/marks.ts";
import { MATCH_COLUMNS } from "../../inputs/matches.ts";
import { OPENING_POSITION_COLUMNS } from "../../inputs/opening-positions.ts";
import { TRANSFER_COLUMNS } from "../../inputs/transfers.ts";
import type { ExportResult } from "../../job/context.ts";
import { exportGroup, groupOf } from "../../job/export-group.ts";
import { type ExportRequest, exportPack } from "../../job/export-pack.ts";
import { planExport } from "../../job/plan-walk.ts";
import { hasTokenOfEach, SCHEMA } from "../../job/settings.ts";
import { afterExport } from "../next-step.ts";
import { size, span, table } from "../terminal-text.ts";
import type { Args, Command, CommandContext, Outcome } from "./command.ts";
import { dryRunOutcome } from "./dry-run.ts";
import { readFolder } from "./folder.ts";
import { sayIfNew } from "./new-archive.ts";
import { readTime } from "./range.ts";

const BASES = ["fill", "transaction"] as const;
/** At most this many lines of opening-positions.csv are shown to people and programs. */
const DECLARED_SHOWN = 5;
const DECLARED_IN_JSON = 100;

export const exportCommand: Command = {
  summary: "make the files of a period, walking first what it lacks",
  usage:
    "(--period P | --from T --to T [--zone Z]) [--account NAME …] [--method M] [--basis B] [--currency CUR] [--information] [--inputs DIR] [--out DIR] [--allow-incomplete] [--dry-run]",
  about: [
    "Walks what the period lacks, then writes its pack into the store, or into --pack-store; --out also copies it to a plain folder.",
    "A period that the archive covers already needs neither an address nor a token. Its newest days are walked again when that is due; where it cannot be, the pack is made, and a warning says as of when.",
    "A pack is written only when its period is covered; --allow-incomplete writes it all the same, under names that say INCOMPLETE.",
    "For a period of the United States (us-2025), --currency USD and a --method of your choice also make form-8949.csv and form-8949.txf.",
    "Files of your own are read from --inputs, or else from the store's folder ACCOUNT/inputs/. Each can be left out; what is there is copied into the pack:",
    `  opening-positions.csv  ${OPENING_POSITION_COLUMNS.join(",")}: what was open at a time (market *: all others, with 0)`,
    "                         break may be left out: the time from which fills of that market are missing, up to as_of; the evidence says why",
    `  funding.csv            ${FUNDING_COLUMNS.join(",")}: payments, positive when received`,
    `  transfers.csv          ${TRANSFER_COLUMNS.join(",")}: cash that you moved, positive when deposited, negative when withdrawn`,
    `  balances.csv           ${BALANCE_COLUMNS.join(",")}: cash by the venue's statements, for the proof in balance.csv`,
    `  marks.csv              ${MARK_COLUMNS.join(",")}: prices of the period's last day, for what open positions are worth`,
    `  matches.csv            ${MATCH_COLUMNS.join(",")}: for --method specific`,
    "  rates/NAME.csv         exchange rates, for --currency; fillbook rates puts the ECB's or HMRC's there",
    "  accounts.json          names and codes of accounts for the journals, and what is taken as equal (par)",
    'With --account given more than once the pack is of these accounts together: totals, each account\'s lines, transfers between them. Each account gets its own pack too, which --out copies into accounts/NAME/. Its files are read from --inputs/NAME/; accounts.json, marks.csv and rates/ beside these folders are for all. A group that is exported often gets a name: {"accounts": ["main", "hedge"]} in the accounts.json of its own inputs, then --account NAME.',
    "A date in them, like 2025-01-01, is a day of the pack's zone (the period's own, or --zone): as_of, break and time mean its first moment there; a date-time carries its offset. A rate is looked up by the day on which a fill falls in that zone. What was understood of opening-positions.csv is printed.",
  ],
  repeats: "account",
  options: {
    period: {
      value: "P",
      help: "a tax year or month: us-2025, uk-2024-25, month-2025-03; list them with: fillbook periods",
    },
    from: { value: "T", help: "with --to, in place of --period: the period's first moment" },
    to: { value: "T", help: "with --from: the end of the period, which is not part of it" },
    zone: {
      value: "Z",
      help: "the time zone of the period's days, as Europe/London (default: the period's own; with --from and --to UTC)",
    },
    method: {
      value: "M",
      values: METHODS,
      help: `how cost is calculated: ${METHODS.join(", ")} (default average; where another method gives another result, both are said)`,
    },
    basis: {
      value: "B",
      values: BASES,
      help: `the time that puts a fill into the period: ${BASES.join(", ")} (default fill: filled_at, or else tx_created)`,
    },
    currency: { value: "CUR", help: "also convert amounts into it, by the files in rates/, as EUR" },
    information: {
      value: null,
      help: "also say what informs, and is no advice: days held and possible wash sales in disposals.csv, and carry-forward.csv",
    },
    inputs: { value: "DIR", help: "the folder with your files (default: the store's ACCOUNT/inputs/)" },
    out: { value: "DIR", help: "a folder that also gets the pack's files" },
    "dry-run": {
      value: null,
      help: "say what would be walked for the pack, in how many requests at least, and how long that takes; ask and write nothing",
    },
    "allow-incomplete": { value: null, help: "write the pack even if fills may be missing" },
  },
  example: "fillbook export --period us-2025 --out ./us-2025",
  plan(given) {
    const request = readRequest(given);
    const typed = given.text("period");
    const isDry = given.has("dry-run");
    const accounts = given.texts("account").length;
    if (isDry && accounts > 1) {
      throw new FillbookError("usage", `--dry-run takes one account, and ${accounts} are given`, {
        hint: "run it once for each --account",
      });
    }
    const made = { out: request.out, period: given.text("zone") === undefined ? typed : undefined };
    return async (live) => {
      if (typed !== undefined) {
        live.say(takenFor(typed, given.text("zone")));
      }
      if (isDry) {
        return await dryRun(live, request);
      }
      const group = await groupOf(accountsOf(given, live.settings.account), request, live.store);
      if (group === null) {
        // Without access an incomplete pack is made of what is there, and begins nothing.
        if (!request.allowIncomplete || (await canAsk(live))) {
          await sayIfNew(live);
        }
        return { ...exportOutcome(await exportPack(await live.job(), request)), next: afterExport(made) };
      }
      if (!hasTokenOfEach(live.settings)) {
        live.say(NO_TOKENS);
      }
      const result = await exportGroup(group, live.jobOf, request);
      return { ...exportOutcome(result, result.accounts), next: afterExport({ ...made, group }) };
    };
  },
};

function canAsk(live: CommandContext): Promise<boolean> {
  return live.requireAccountAccess().then(
    () => true,
    () => false,
  );
}

async function dryRun(live: CommandContext, request: ExportRequest): Promise<Outcome> {
  const plan = await planExport(await live.job(), request, live.settings.maxRps);
  const { historyFrom } = plan;
  const needsHistory = historyFrom < request.period.from && plan.lacking.some(({ from }) => from < request.period.from);
  return dryRunOutcome(plan, needsHistory ? [historyLine(historyFrom, request.period.from)] : []);
}

function historyLine(from: number, to: number): string {
  return `Realised PnL needs the fills from ${isoTime(from)} to ${isoTime(to)} too. A line for market * in opening-positions.csv says what was open at the period's beginning; then only the period is walked.`;
}

const NO_TOKENS =
  "several accounts: a token is of one of them, so the service is not asked, and the packs are made from the archives (FILLBOOK_TOKEN_SECRET with {account} in its name has a token of each)";

/** All named accounts, each checked. */
function accountsOf(given: Args, account: string): readonly string[] {
  const named = given.texts("account");
  return named.length === 0 ? [account] : named.map((name) => SCHEMA.account.parse(name, "--account"));
}

/** The documented JSON of an export, and its summary. `accounts`: the results of a group. */
export function exportOutcome(result: ExportResult, accounts: readonly ExportResult[] = []): Outcome {
  const files = result.files.map((file) => [
    file.path,
    file.rows === undefined ? "" : count(file.rows),
    size(file.bytes),
  ]);
  return {
    json: {
      account: result.account,
      period: result.period,
      from: isoTime(result.from),
      to: isoTime(result.to),
      zone: result.zone,
      method: result.method,
      dir: result.dir,
      complete: result.complete,
      files: result.files,
      ...(accounts.length === 0
        ? {}
        : {
            accounts: accounts.map((one) => ({
              account: one.account,
              complete: one.complete,
              dir: one.dir,
              ...(one.declared.length === 0 ? {} : { declared: jsonDeclared(one) }),
            })),
          }),
      ...(result.declared.length === 0 ? {} : { declared: jsonDeclared(result) }),
    },
    lines: [
      `${result.account} ${result.period}: ${result.complete ? "complete" : "NOT complete"} for ${span(result)} (${result.zone})`,
      ...declaredTexts(result.declared, result.zone, DECLARED_SHOWN),
      ...accounts.flatMap((one) => [
        `${one.account}: ${one.dir === null ? "nothing was written" : `its own pack is in ${one.dir}`}`,
        ...declaredTexts(one.declared, one.zone, DECLARED_SHOWN),
      ]),
      ...(result.dir === null
        ? ["nothing was written"]
        : [...table(["file", "rows", "size"], files), `written to ${result.dir}`]),
    ],
    warnings: result.notes,
    problem: result.problem,
  };
}

function jsonDeclared({ declared, zone }: ExportResult) {
  return {
    lines: declared.length,
    first: declared.slice(0, DECLARED_IN_JSON).map(({ market, quantity, price, asOf, breakFrom, ...use }) => ({
      market: market ?? "*",
      position: formatUnits(quantity),
      averagePrice: price === null ? null : formatUnits(price),
      asOf: isoTime(asOf),
      asOfLocal: localTime(asOf, zone),
      ...(breakFrom === undefined ? {} : { breakFrom: isoTime(breakFrom), breakFromLocal: localTime(breakFrom, zone) }),
      ...use,
    })),
  };
}

/** The request of the command line. Throws `usage` if it cannot be understood. */
export function readRequest(given: Args): ExportRequest {
  const out = readFolder(given, "out", "./us-2025");
  const inputsDir = readFolder(given, "inputs", "./inputs");
  const currency = readCurrency(given);
  return {
    period: readPeriod(given),
    method: readChoice(given, "method", METHODS, "average"),
    isMethodChosen: given.text("method") !== undefined,
    basis: readChoice(given, "basis", BASES, "fill"),
    ...(currency === undefined ? {} : { currency }),
    ...(given.has("information") ? { information: true } : {}),
    ...(inputsDir === undefined ? {} : { inputsDir }),
    allowIncomplete: given.has("allow-incomplete"),
    ...(out === undefined ? {} : { out }),
  };
}

/** The named period, or the range that was given instead. */
export function readPeriod(given: Args): Period {
  const name = given.text("period");
  const zone = given.text("zone");
  const from = given.text("from");
  const to = given.text("to");
  if (name !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw new FillbookError("usage", "--period and --from/--to are two ways to say the same", {
        hint: "keep one of them",
      });
    }
    return parsePeriod(name, zone);
  }
  if (from === undefined || to === undefined) {
    throw new FillbookError("usage", "a period is needed", {
      hint: "write --period us-2025 (list them with: fillbook periods), or --from 2025-01-01 --to 2026-01-01",
    });
  }
  const dateMeans = zone === undefined ? undefined : `its first moment in ${zone}`;
  readTime(from, "--from", dateMeans); // for its messages, which name the flag
  readTime(to, "--to", dateMeans);
  return customPeriod(from, to, zone);
}

function readChoice<Name extends string>(given: Args, flag: string, names: readonly Name[], byDefault: Name): Name {
  const typed = given.text(flag) ?? byDefault;
  const found = names.find((name) => name === typed);
  if (found !== undefined) {
    return found;
  }
  const near = nearest(typed.toLowerCase(), names);
  throw new FillbookError("usage", `there is no ${flag} "${typed}"`, {
    hint: near === undefined ? `write --${flag} and one of ${names.join(", ")}` : `did you mean --${flag} ${near}?`,
  });
}

function readCurrency(given: Args): string | undefined {
  const typed = given.text("currency");
  const meant = typed === undefined ? null : meantCurrency(typed);
  if (typed === undefined || meant === typed) {
    return typed;
  }
  throw new FillbookError("usage", `--currency is "${typed}", which is no code of a currency`, {
    hint:
      meant === null
        ? "write 3 to 5 capital letters, for example: --currency EUR"
        : `did you mean --currency ${meant}?`,
  });
}
