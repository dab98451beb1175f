import { FillbookError } from "../../core/errors.ts";
import { parsePeriod } from "../../core/period.ts";
import { takenFor } from "../../core/period-name.ts";
import { count, counted } from "../../core/text.ts";
import { DAY_MS, isoTime } from "../../core/time.ts";
import type { Lacking, VerifyResult } from "../../job/context.ts";
import { verifyArchive } from "../../job/verify.ts";
import { span } from "../terminal-text.ts";
import type { Command, Outcome } from "./command.ts";

export const verify: Command = {
  about: [
    "Reads every file of the archive and compares its hash with the manifest. Reads every pack, also those of several accounts, and compares it with its SHA256SUMS.",
    "--rewalk also reads the service once more, and compares its answers with the archive. It needs an address and a token. If the service has fills that the archive lacks, the output names the sync command that reads them.",
    "Changes nothing except a record of when it ran and what it found (ACCOUNT/checks/), which fillbook status shows. A store that cannot be written can be verified too.",
  ],
  options: {
    "period P": "verify only the data of this period, and its packs of all zones (default: everything)",
    rewalk: "also read the service again and compare",
  },
  example: "fillbook verify --period us-2025",
  plan(given) {
    const typed = given.text("period");
    const period = typed === undefined ? {} : { period: parsePeriod(typed) };
    const rewalk = given.has("rewalk");
    return async (live) => {
      if (typed !== undefined) {
        live.say(takenFor(typed));
      }
      if (rewalk) {
        await live.requireAccountAccess();
      }
      const job = await live.job();
      const result = await verifyArchive(job, { rewalk, groups: live.setup !== undefined, ...period });
      return verifyOutcome(result, job.clock.now());
    };
  },
};

/** `now`: ms UTC. */
export function verifyOutcome(result: VerifyResult, now: number): Outcome {
  const { isTableBehind = false, lacking = [], ...shown } = result;
  const { account, ok, findings, rewalked } = shown;
  const [files, problems] = [counted(shown.checked, "file"), counted(findings.length, "problem")];
  const again = rewalked === undefined ? "" : `, ${counted(rewalked, "window")} read again`;
  const behind =
    "table/ is older than the archive, as a run leaves it that is killed, and was not checked: the next sync writes it";
  const isUnread = findings.every((finding) => UNREAD.test(finding));
  const what = isUnread
    ? "not all could be compared with the service"
    : `${count(findings.length)} of the checked objects cannot be trusted`;
  return {
    json: { ...shown, ...(lacking.length === 0 ? {} : { lacking }) },
    lines: [
      `${account}: ${ok ? `all ${files} match their hashes` : `${problems} found; ${files} checked`}${again}`,
      ...findings.map((finding) => `  ${finding}`),
      ...lackingLines(lacking),
    ],
    warnings: isTableBehind ? [behind] : [],
    problem: ok ? null : new FillbookError(isUnread ? "incomplete" : "untrusted", what, { hint: hintFor(result, now) }),
    next: ["fillbook status", "shows until when the archive is complete"],
  };
}

/** What the service has and the archive lacks, in one sentence. */
function lackingLines(lacking: readonly Lacking[]): readonly string[] {
  const missing = lacking.reduce((sum, one) => sum + one.missing, 0);
  const changed = lacking.reduce((sum, one) => sum + one.changed, 0);
  const parts = [
    ...(missing === 0 ? [] : [`${counted(missing, "fill")} that the archive lacks`]),
    ...(changed === 0 ? [] : [`${counted(changed, "fill")} with other content than the archive`]),
  ];
  return lacking.length === 0 ? [] : [`The service has ${parts.join(" and ")}, created from ${span(spanOf(lacking))}.`];
}

/** What the service did not let be read: that says nothing of what is held. */
const UNREAD = / could not be read: |^the service refuses the dates /;

/** Fills that only the service has came late or changed; the archive's files are not damaged. */
function hintFor({ findings, lacking = [] }: VerifyResult, now: number): string {
  const of = (kind: RegExp) => findings.filter((finding) => kind.test(finding)).length;
  const flags = lacking.length === 0 ? "" : syncFlags(lacking, now);
  const kinds: readonly (readonly [found: number, hint: string])[] = [
    [lacking.length, `run fillbook sync ${flags}: it reads what the archive lacks`],
    [of(/the next sync /), "run fillbook sync, as is usual after a run that was killed, then verify again"],
    [of(/ both hold the fill of /), "run the sync that is named, then verify again"],
    [of(/ is not listed in its SHA256SUMS$/), "move away the files that are not listed"],
    [of(UNREAD), "what could not be read was not compared: run again"],
    [
      of(/\/packs\/.*(?<! is not listed in its SHA256SUMS)$/),
      "move the folder of the damaged pack away, and export again with the same settings and files",
    ],
  ];
  const left = kinds.reduce((rest, [found]) => rest - found, findings.length);
  const all = [...kinds, [left, "restore the named files from a copy, or sync into a new store and compare"] as const];
  return all.flatMap(([found, hint]) => (found > 0 ? hint : [])).join("; ");
}

/** Flags of a sync that reads all these windows again, in whole days, UTC. */
function syncFlags(lacking: readonly Lacking[], now: number): string {
  const { from, to } = spanOf(lacking);
  const day = (ms: number) => isoTime(ms).slice(0, 10);
  const end = Math.ceil(to / DAY_MS) * DAY_MS;
  return `--again --from ${day(from)} --to ${end > now ? isoTime(to) : day(end)}`;
}

function spanOf(lacking: readonly Lacking[]): { readonly from: number; readonly to: number } {
  return { from: Math.min(...lacking.map(({ from }) => from)), to: Math.max(...lacking.map(({ to }) => to)) };
}
