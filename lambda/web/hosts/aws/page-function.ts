import { handle, type LambdaContext } from "hono/aws-lambda";
import { compress } from "hono/compress";
import type { Clock } from "../../../core/clock.ts";
import { asFillbookError } from "../../../core/errors.ts";
import type { Random } from "../../../core/random.ts";
import { fieldsOf, isRecord } from "../../../core/record.ts";
import type { Fields, Log } from "../../../job/lambda/lambda-log.ts";
import { bytesUpTo } from "../../bytes-up-to.ts";
import type { PageContext, PageMiddleware } from "../../page-context.ts";
import type { PagePorts } from "../../ports.ts";
import { refuse } from "../../routes/answers.ts";
import { createSite } from "../../site.ts";
import { signInPage, troublePage } from "../../views/notices.ts";
import { userOf } from "./claims.ts";
import type { HostedSettings } from "./page-settings.ts";
import { createSignIn } from "./sign-in.ts";
import { openTokenEndpoint } from "./token-endpoint.ts";

export interface PageFunctionParts {
  readonly settings: HostedSettings;
  readonly ports: PagePorts;
  readonly clock: Pick<Clock, "sleep">;
  readonly random: Pick<Random, "id">;
  readonly logOf: (requestId: string) => Pick<Log, "info" | "error">;
}

/** What a request's environment holds: the event's context and Lambda's. */
interface Called {
  readonly requestContext: unknown;
  readonly lambdaContext: Pick<LambdaContext, "awsRequestId">;
}

/**
 * The page behind an HTTP API (payload format 2.0) whose authorizer has checked the token: an event in, a
 * result out. Refusals and errors go to the log.
 */
export function createPageFunction({ settings, ports, clock, random, logOf }: PageFunctionParts) {
  const logFor = (c: PageContext) => logOf((c.env as Called).lambdaContext.awsRequestId);
  const signIn = createSignIn({
    settings,
    endpoint: openTokenEndpoint(settings, clock),
    random,
    unrevoked: (why, c) => logFor(c).error("the session was ended here, but not at Cognito", { why }),
  });

  const identify: PageMiddleware = async (c, next) => {
    const { authorizer } = fieldsOf((c.env as Called).requestContext);
    const { claims } = fieldsOf(fieldsOf(authorizer)["jwt"]);
    if (!isRecord(claims)) {
      return await next(); // the route has no authorizer
    }
    const user = userOf(claims);
    if (typeof user === "string") {
      return refuse(c, user, signInPage(), 401);
    }
    c.set("visitor", { user, root: "" });
    return await next();
  };

  return handle(
    createSite({
      ports,
      signInPage: signInPage(),
      origin: settings.origin,
      host(site) {
        site.use(sendable, compress());
        signIn.addTo(site);
        site.use(identify);
      },
      signOut: signIn.signOut,
      refused: (refused, c) => logFor(c).info("refused", { ...refused }),
      report: (error, c) => logFor(c).error("an answer failed", faultOf(error)),
    }),
  );
}

/**
 * A function's answer has at most 6 MB of JSON. Compressed ones are sent in base64, whose writer takes 0.2 ms
 * and 55 kB of memory for each kB.
 */
const MOST_SENT_BYTES = 2_000_000;

const sendable: PageMiddleware = async (c, next) => {
  await next();
  const bytes = await bytesUpTo(c.res.body ?? [], MOST_SENT_BYTES);
  const { res } = c;
  c.res = undefined;
  c.res = bytes === null ? tooLarge(c) : new Response(new Uint8Array(bytes), res);
};

function tooLarge(c: PageContext): Response {
  const advice = "This is too large to be shown here. Go back and download it from the list of files.";
  return refuse(c, "too large for the function's answer", troublePage("Too large to show", advice), 413);
}

/** What the log gets: the message that a person at a terminal would see. */
export function faultOf(thrown: unknown): Fields {
  const { kind, message, hint } = asFillbookError(thrown);
  return { error: kind, reason: message, ...(hint === undefined ? {} : { hint }) };
}
