import type { Context } from "aws-lambda";
import { systemClock as clock } from "./clock.ts";
import { faultResult } from "./hosted/home.ts";
import { hostedPorts } from "./hosted/hosted-ports.ts";
import { createPageFunction, faultOf } from "./hosted/page-function.ts";
import type { HostedResult } from "./hosted/results.ts";
import { readHostedSettings } from "./hosted/settings.ts";
import { createLog } from "./invocation/log.ts";
import { visibleJson } from "./log.ts";
import { systemRandom as random } from "./random.ts";
import { processEnvironment } from "./settings.ts";

type PageFunction = ReturnType<typeof createPageFunction>;

/** Made by the first request, and kept while the function is warm. */
let made: PageFunction | null = null;

/** One request of the page, as an HTTP API calls it (payload format 2.0). Resolves always: what goes wrong is in the log alone. */
export async function handler(
  event: unknown,
  { awsRequestId: requestId }: Pick<Context, "awsRequestId">,
): Promise<HostedResult> {
  const log = createLog({ clock, redact: visibleJson }, { requestId });
  try {
    made ??= createWarm();
    return await made(event, log);
  } catch (error) {
    log.error("the page is not set up", faultOf(error));
    return faultResult();
  }
}

function createWarm(): PageFunction {
  const settings = readHostedSettings(processEnvironment());
  return createPageFunction({ settings, ports: hostedPorts(settings, { clock, random }), clock, random });
}
