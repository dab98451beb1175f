import { FillbookError } from "../errors.ts";
import { customPeriod, type Period, parsePeriod } from "../model/period.ts";
import type { MakeRequest } from "./ports.ts";

/** Of a form: what is left empty is not given. */
export interface Fields {
  readonly get: (name: string) => string | null;
}

const KINDS: readonly MakeRequest["kind"][] = ["export", "sync", "verify"];

/** What a form asks for. Throws `usage` for what cannot be made, with the command line's own messages. `methods`: the first is the default. */
export function readMakeRequest(account: string, fields: Fields, methods: readonly string[]): MakeRequest {
  const kind = KINDS.find((one) => one === fields.get("kind"));
  if (kind === undefined) {
    throw new FillbookError("usage", "it is not said what to do");
  }
  if (kind !== "export") {
    return { account, kind };
  }
  const given = ["period", "from", "to", "zone"].flatMap((name) => {
    const text = fields.get(name)?.trim() ?? "";
    return text === "" ? [] : [[name, text]];
  });
  const asked: AskedPeriod = Object.fromEntries(given);
  periodOf(asked);
  return { account, kind, ...asked, method: methodOf(fields.get("method"), methods) };
}

export type AskedPeriod = Pick<MakeRequest, "period" | "from" | "to" | "zone">;

/** Throws `usage` for what is no period. */
export function periodOf({ period, from, to, zone }: AskedPeriod): Period {
  if (period !== undefined && (from !== undefined || to !== undefined)) {
    throw new FillbookError(
      "usage",
      "a period by its name, and by its first and last day, are two ways to say the same",
      {
        hint: "keep one of them",
      },
    );
  }
  if (period !== undefined) {
    return parsePeriod(period, zone);
  }
  if (from === undefined || to === undefined) {
    throw new FillbookError("usage", "it is not said which period", { hint: "choose one, or give both days" });
  }
  return customPeriod(from, to, zone);
}

function methodOf(typed: string | null, methods: readonly string[]): string {
  const found = typed === null || typed === "" ? methods[0] : methods.find((name) => name === typed);
  if (found === undefined) {
    throw new FillbookError("usage", `there is no method ${JSON.stringify(typed)}`, {
      hint: `choose one of ${methods.join(", ")}`,
    });
  }
  return found;
}
