import { METHODS } from "../../../accounting/method.ts";
import type { Clock } from "../../../core/clock.ts";
import { asFillbookError } from "../../../core/errors.ts";
import type { Random } from "../../../core/random.ts";
import type { Fields, Log } from "../../../job/lambda/lambda-log.ts";
import type { PagePorts } from "../../ports.ts";
import type { Refusal } from "../../request.ts";
import { createSite } from "../../site.ts";
import { signInPage } from "../../views/notices.ts";
import { createHome } from "./aws-host.ts";
import type { HostedSettings } from "./page-settings.ts";
import type { HostedResult } from "./results.ts";
import { createSignIn } from "./sign-in.ts";
import { openTokenEndpoint } from "./token-endpoint.ts";

export interface PageFunctionParts {
  readonly settings: HostedSettings;
  readonly ports: PagePorts;
  readonly clock: Pick<Clock, "sleep">;
  readonly random: Pick<Random, "id">;
}

type PageLog = Pick<Log, "info" | "error">;

/** The page on AWS, its parts joined: an event of the API in, a result out, and to the log what was refused and what went wrong. Never rejects. */
export function createPageFunction(parts: PageFunctionParts): (event: unknown, log: PageLog) => Promise<HostedResult> {
  const { settings, ports, clock, random } = parts;
  const endpoint = openTokenEndpoint({ settings, clock });
  return (event, log) => {
    const refused = (refusal: Refusal) => log.info("refused", shortened(refusal));
    const report = once((error) => log.error("an answer failed", faultOf(error)));
    const unrevoked = (why: string) => log.error("a session was ended here, but not at Cognito", { why });
    const site = createSite({ ports, methods: METHODS, signInPage: signInPage(), refused, report });
    const signIn = createSignIn({ settings, endpoint, random, unrevoked });
    return createHome({ site, signIn, origin: settings.origin, refused, report })(event);
  };
}

/** What fails while an answer goes out is heard of where it is read, and where it is sent. */
function once(report: (error: unknown) => void): (error: unknown) => void {
  const heard = new Set<unknown>();
  return (error) => {
    if (!heard.has(error)) {
      heard.add(error);
      report(error);
    }
  };
}

const LONGEST_TEXT = 300;

/** What came from outside may be of any length. */
function shortened({ user, method, path, status, why }: Refusal): Fields {
  const cut = (text: string) => text.slice(0, LONGEST_TEXT);
  return { user, method: cut(method), path: cut(path), status, why: cut(why) };
}

/** For the log: what a person at a terminal would be told. */
export function faultOf(thrown: unknown): Fields {
  const { kind, message, hint } = asFillbookError(thrown);
  return { error: kind, reason: message, ...(hint === undefined ? {} : { hint }) };
}
