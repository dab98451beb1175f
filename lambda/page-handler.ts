import { systemClock as clock } from "./core/clock.ts";
import { visibleJson } from "./core/log.ts";
import { systemRandom as random } from "./core/random.ts";
import { createLog } from "./job/lambda/lambda-log.ts";
import { processEnvironment } from "./job/settings.ts";
import { hostedPorts } from "./web/hosts/aws/hosted-ports.ts";
import { createPageFunction } from "./web/hosts/aws/page-function.ts";
import { readHostedSettings } from "./web/hosts/aws/page-settings.ts";

/** Made by the first request and kept while the function is warm. */
let made: ReturnType<typeof createPageFunction> | null = null;

/** Handles one request of the page in the form of an HTTP API (payload format 2.0). Errors go to the log only. */
export async function handler(...[event, context]: Parameters<ReturnType<typeof createPageFunction>>) {
  made ??= open();
  return await made(event, context);
}

function open() {
  const settings = readHostedSettings(processEnvironment());
  const ports = hostedPorts(settings, { clock, random });
  const logOf = (requestId: string) => createLog({ clock, redact: visibleJson }, { requestId });
  return createPageFunction({ settings, ports, clock, random, logOf });
}
