import type { Context } from "aws-lambda";
import { systemClock as clock } from "./core/clock.ts";
import { visibleJson } from "./core/log.ts";
import { systemRandom as random } from "./core/random.ts";
import { createLog } from "./job/lambda/lambda-log.ts";
import { processEnvironment } from "./job/settings.ts";
import { clientSecret } from "./web/hosts/aws/client-secret.ts";
import { hostedPorts } from "./web/hosts/aws/hosted-ports.ts";
import { createPageFunction, faultOf, faultResult } from "./web/hosts/aws/page-function.ts";
import { readHostedSettings } from "./web/hosts/aws/page-settings.ts";
import type { HostedResult } from "./web/hosts/aws/results.ts";

/** Made by the first request and kept while the function is warm. */
let made: ReturnType<typeof createPageFunction> | null = null;

/**
 * Handles one request of the page in the form of an HTTP API (payload format 2.0). Always resolves; errors go
 * to the log only.
 */
export async function handler(
  event: unknown,
  { awsRequestId: requestId }: Pick<Context, "awsRequestId">,
): Promise<HostedResult> {
  const log = createLog({ clock, redact: visibleJson }, { requestId });
  try {
    if (made === null) {
      const settings = readHostedSettings(processEnvironment());
      const ports = hostedPorts(settings, { clock, random });
      made = createPageFunction({ settings, ports, secret: clientSecret(settings), clock, random });
    }
    return await made(event, log);
  } catch (error) {
    log.error("the page is not set up", faultOf(error));
    return faultResult();
  }
}
