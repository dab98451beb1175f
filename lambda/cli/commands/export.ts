import { declaredTexts } from "../../accounting/declared.ts";
import { defaultMethod, METHODS } from "../../accounting/method.ts";
import { meantCurrency } from "../../core/currency.ts";
import { asFillbookError, usageError } from "../../core/errors.ts";
import { customPeriod, type Period, parsePeriod } from "../../core/period.ts";
import { takenFor } from "../../core/period-name.ts";
import { nearest } from "../../core/suggest.ts";
import { count, sizeText } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { TABLES } from "../../inputs/inputs.ts";
import type { ExportResult } from "../../job/context.ts";
import { exportGroup, groupOf } from "../../job/export-group.ts";
import { type ExportRequest, exportPack } from "../../job/export-pack.ts";
import { planExport } from "../../job/plan-walk.ts";
import { hasTokenOfEach, SCHEMA } from "../../job/settings.ts";
import { openNext } from "../next-step.ts";
import { span, table } from "../terminal-text.ts";
import { dryRunOutcome, sayIfNew } from "./before-run.ts";
import type { Args, Command, CommandContext, Outcome } from "./command.ts";
import { readFolder, readTime } from "./range.ts";

const BASES = ["fill", "transaction"] as const;
/** At most this many lines of opening-positions.csv are shown. */
const DECLARED_SHOWN = 5;

export const exportCommand: Command = {
  accounts: "many",
  about: [
    "Reads the fills that the archive lacks, then writes the pack of the period into the store. --out also copies it to a plain folder.",
    "If the archive already covers the period, neither an address nor a token is needed. Its newest days are read again when a recheck is due. If the service cannot be asked, the pack is made anyway, and a warning says how recent it is.",
    "A pack is written only if its period is covered. --allow-incomplete writes it anyway, with INCOMPLETE in its file names.",
    "For a period of the United States (us-2025), --currency USD also makes form-8949.csv, by any method but average.",
    "Your own files are read from --inputs, or else from the folder ACCOUNT/inputs/ of the store. All are optional. They are copied into the pack:",
    ...TABLES.map(({ name, columns, about }) => `  ${name.padEnd(22)} ${Object.keys(columns).join(",")}: ${about}`),
    "  rates/NAME.csv         exchange rates, for --currency; fillbook rates copies those of the ECB or HMRC there",
    "  accounts.json          account names for the journals, and currencies treated as equal (par)",
    'With several --account options, the pack is for these accounts together: every table names the account of each line, and transfers between them are matched. The files of each account are read from the folder NAME in --inputs; accounts.json, marks.csv and rates/ beside these folders are for all accounts. To name a group of accounts, write {"accounts": ["main", "hedge"]} into the accounts.json of its own inputs, then use --account NAME.',
    "A date in these files, such as 2025-01-01, is a day in the pack's time zone (the period's own, or --zone), or in the zone after it (2025-01-01 Europe/London). In as_of, break and time it means the start of that day. A date-time has its own offset. Rates are looked up by the day of the fill in that zone. The export prints how it understood opening-positions.csv.",
  ],
  options: {
    "period P": "a tax year or month: us-2025, uk-2024-25, month-2025-03; list them with: fillbook periods",
    "from T": "with --to, instead of --period: the start of the period",
    "to T": "with --from: the end of the period, which is not included",
    "zone Z":
      "the time zone of the period's days, such as Europe/London (default: the period's own; with --from and --to UTC)",
    "method M": `how cost is calculated: ${METHODS.join(", ")} (default average, for a year of the United States fifo; a second method is shown for comparison)`,
    "basis B": `the time by which a fill belongs to the period: ${BASES.join(", ")} (default fill: filled_at, or tx_created if there is none)`,
    "currency CUR": "also convert amounts into this currency, such as EUR, with the rates in rates/",
    "inputs DIR": "the folder with your files (default: ACCOUNT/inputs/ in the store)",
    "out DIR": "a folder to which the pack is copied",
    "dry-run":
      "show what the export would read, the least number of requests and the duration; no request is sent and nothing is written",
    "allow-incomplete": "write the pack even if fills may be missing",
  },
  example: "fillbook export --period us-2025 --out ./us-2025",
  plan(given) {
    const request = readRequest(given);
    const typed = given.text("period");
    const isDry = given.has("dry-run");
    const accounts = given.texts("account").length;
    if (isDry && accounts > 1) {
      throw usageError(`--dry-run takes one account, but ${accounts} are given`, "run it once for each --account");
    }
    return async (live) => {
      if (typed !== undefined) {
        live.say(takenFor(typed, request.period.zone));
      }
      if (isDry) {
        return await dryRun(live, request);
      }
      const group = await groupOf(accountsOf(given, live.settings.account), request, live.store);
      if (group === null) {
        // Without access an incomplete pack is made of what is there, and begins nothing.
        const away = request.allowIncomplete ? await live.requireAccountAccess().catch(asFillbookError) : undefined;
        if (away === undefined) {
          await sayIfNew(live);
        }
        return exportOutcome(await exportPack(await live.job(), request));
      }
      if (!hasTokenOfEach(live.settings)) {
        live.say(NO_TOKENS);
      }
      return exportOutcome(await exportGroup(group, live.jobOf, request));
    };
  },
};

async function dryRun(live: CommandContext, request: ExportRequest): Promise<Outcome> {
  const { from } = request.period;
  const plan = await planExport(await live.job(), request, live.settings.maxRps);
  const history = `Realised PnL also needs the fills from ${isoTime(plan.historyFrom)} to ${isoTime(from)}. If opening-positions.csv has a line for market *, which declares the positions at the start of the period, only the period is read.`;
  return dryRunOutcome(
    plan,
    plan.lacking.some((range) => range.from < from) && plan.historyFrom < from ? [history] : [],
  );
}

const NO_TOKENS =
  "several accounts, but one token: the service is not asked, and the packs are made from the archives (to read each account with its own token, set FILLBOOK_TOKEN_SECRET to a name with {account} in it)";

/** All named accounts, each checked. */
function accountsOf(given: Args, account: string): readonly string[] {
  const named = given.texts("account");
  return named.length === 0 ? [account] : named.map((name) => SCHEMA.account.parse(name, "--account"));
}

/** The documented JSON of an export, and its summary. */
export function exportOutcome(result: ExportResult): Outcome {
  const { accounts, account, period, from, to, zone, method, dir, complete, files, verdict, zip, notes, problem } =
    result;
  const rows = files.map((file) => [file.path, file.rows === undefined ? "" : count(file.rows), sizeText(file.bytes)]);
  const places = zip === null ? dir : `${dir} and, as one ZIP, ${zip}`;
  const written = [...table(["file", "rows", "size"], rows), `written to ${places}`];
  const shown = { account, period, from, to, zone, method, dir, complete, files };
  const records = (all: boolean) => `Records ${all ? "" : "NOT "}complete`;
  const each = accounts.map((one) => ({ account: one.account, complete: one.complete }));
  return {
    json: { ...shown, ...(zip && { zip }), ...(verdict && { verdict }), ...(each.length > 0 && { accounts: each }) },
    lines: [
      `${account} ${period}: ${verdict?.claim ?? records(complete)}, for ${span(result)} (${zone})`,
      ...declaredTexts(result.declared, zone, DECLARED_SHOWN),
      ...accounts.flatMap((one) => [
        `${one.account}: ${records(one.complete)}`,
        ...declaredTexts(one.declared, one.zone, DECLARED_SHOWN).map((text) => `${one.account}: ${text}`),
      ]),
      ...(dir === null ? ["nothing was written"] : written),
    ],
    warnings: notes,
    problem,
    next: openNext(account, period),
  };
}

/** The request of the command line. Throws `usage` if it cannot be understood. */
export function readRequest(given: Args): ExportRequest {
  const out = readFolder(given, "out", "./us-2025");
  const inputsDir = readFolder(given, "inputs", "./inputs");
  const currency = readCurrency(given);
  const period = readPeriod(given);
  return {
    period,
    method: readChoice(given, "method", METHODS, defaultMethod(period.name)),
    isMethodChosen: given.text("method") !== undefined,
    basis: readChoice(given, "basis", BASES, "fill"),
    ...(currency === undefined ? {} : { currency }),
    ...(inputsDir === undefined ? {} : { inputsDir }),
    allowIncomplete: given.has("allow-incomplete"),
    ...(out === undefined ? {} : { out }),
  };
}

/** The named period, or the range that was given instead. */
export function readPeriod(given: Args): Period {
  const [name, zone, from, to] = ["period", "zone", "from", "to"].map(given.text);
  if (name !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw usageError("--period and --from/--to were both given", "keep one of them");
    }
    return parsePeriod(name, zone);
  }
  if (from === undefined && to === undefined) {
    const hint = "write --period us-2025 (list them with: fillbook periods), or --from 2025-01-01 --to 2026-01-01";
    throw usageError("no period was given", hint);
  }
  if (from === undefined || to === undefined) {
    const hint = "write for example: --from 2025-01-01 --to 2026-01-01; --to is not included";
    throw usageError(from === undefined ? "--to needs --from" : "--from needs --to", hint);
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
  const hint =
    near === undefined ? `write --${flag} and one of ${names.join(", ")}` : `did you mean --${flag} ${near}?`;
  throw usageError(`there is no ${flag} "${typed}"`, hint);
}

function readCurrency(given: Args): string | undefined {
  const typed = given.text("currency");
  const meant = typed === undefined ? null : meantCurrency(typed);
  if (typed === undefined || meant === typed) {
    return typed;
  }
  const hint =
    meant === null ? "write 3 to 5 capital letters, for example: --currency EUR" : `did you mean --currency ${meant}?`;
  throw usageError(`--currency is "${typed}", which is not a currency code`, hint);
}
