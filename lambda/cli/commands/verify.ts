import { FillbookError } from "../../core/errors.ts";
import { parsePeriod, takenFor } from "../../core/period.ts";
import { count, counted } from "../../core/text.ts";
import { DAY_MS } from "../../core/time.ts";
import type { VerifyResult } from "../../job/context.ts";
import { verifyArchive } from "../../job/inspect.ts";
import type { Command, Outcome } from "./command.ts";

export const verify: Command = {
  summary: "hash every file against the manifest; with --rewalk ask the service again",
  usage: "[--period P] [--rewalk]",
  about: [
    "Reads every file of the archive and compares its hash with the manifest's, and every pack's with its SHA256SUMS; changes nothing.",
    "With --pack-store the packs there are read too, beside those in the store.",
    "--rewalk also walks the service again with other splits, and compares what it finds: it needs an address and a token.",
  ],
  options: {
    period: { value: "P", help: "only what this period rests on, and its packs of all zones (default: everything)" },
    rewalk: { value: null, help: "also walk the service again and compare" },
  },
  example: "fillbook verify --period us-2025",
  plan(given) {
    const typed = given.text("period");
    const request = { rewalk: given.has("rewalk"), ...(typed === undefined ? {} : { period: parsePeriod(typed) }) };
    return async (live) => {
      if (typed !== undefined) {
        live.say(takenFor(typed));
      }
      if (request.rewalk) {
        await live.requireAccountAccess();
      }
      const job = await live.job();
      return verifyOutcome(await verifyArchive(job, request), job.clock.now());
    };
  },
};

/** `now`: ms UTC. */
export function verifyOutcome(result: VerifyResult, now: number): Outcome {
  const rewalked = result.rewalked === undefined ? "" : `, ${counted(result.rewalked, "window")} walked again`;
  return {
    json: {
      account: result.account,
      ok: result.ok,
      checked: result.checked,
      findings: result.findings,
      ...(result.rewalked === undefined ? {} : { rewalked: result.rewalked }),
    },
    lines: [
      `${result.account}: ${result.ok ? "as the manifest says" : "NOT as the manifest says"}; ${counted(result.checked, "object")} checked${rewalked}`,
      ...result.findings.map((finding) => `  ${finding}`),
    ],
    problem: result.ok
      ? null
      : new FillbookError("untrusted", `${count(result.findings.length)} of what was checked cannot be trusted`, {
          hint: hintFor(result.findings, now),
        }),
  };
}

/** As a re-walk says it of a window (rewalk.ts). */
const DIFFERS =
  /^window \[(?<from>[^,]+), .* differs: the service answers (?<answers>\d+) fills, the archive holds (?<holds>\d+)$/;

/** What the service answers beyond the archive came late; no file is to blame. */
function hintFor(findings: readonly string[], now: number): string {
  const late = findings.flatMap((finding) => {
    const { from = "", answers, holds } = DIFFERS.exec(finding)?.groups ?? {};
    return Number(answers) > Number(holds) ? [Date.parse(from)] : [];
  });
  const twice = findings.filter((finding) => finding.endsWith("the next sync keeps one of them"));
  const days = Math.ceil((now - Math.min(...late)) / DAY_MS);
  const hints = [
    ...(late.length === 0
      ? []
      : [`the service now answers more fills than the archive holds: run sync --look-back ${days} to file them`]),
    ...(twice.length === 0 ? [] : ["run sync, and verify again"]),
    ...(late.length + twice.length === findings.length
      ? []
      : ["restore the files that are named from a copy, or sync into a new store and compare"]),
  ];
  return hints.join("; ");
}
