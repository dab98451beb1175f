import type { Clock } from "../../core/clock.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { ServiceReader } from "../../service/service.ts";
import { type Components, createComponents } from "../components.ts";
import type { Settings } from "../settings.ts";

/** How long a token is used without asking Secrets Manager again, unless the service refuses it earlier. */
const KEEP_MS = 5 * MINUTE_MS;

/**
 * Keeps the live parts, with token and connections, between invocations of a warm function for the same
 * account. `learned` is called with every token.
 */
export function keepWarm(
  clock: Pick<Clock, "now">,
  learned: (token: string) => void,
  create = createComponents,
): (settings: Settings) => Components {
  let kept: { readonly components: Components; readonly account: string; readonly madeAt: number } | undefined;
  return (settings) => {
    const now = clock.now(); // wall time: a frozen process has no other that runs on
    if (kept === undefined || kept.account !== settings.account || now - kept.madeAt >= KEEP_MS) {
      kept = { components: create(settings, learned), account: settings.account, madeAt: now };
    }
    const { components } = kept;
    return { ...components, reader: () => countedFromHere(components.reader()) };
  };
}

/** A reader that counts only this invocation's requests: a warm reader has counted those of earlier ones. */
function countedFromHere(reader: ServiceReader): ServiceReader {
  const { requests, refused } = reader.counts;
  return {
    ...reader,
    get counts() {
      return { requests: reader.counts.requests - requests, refused: reader.counts.refused - refused };
    },
  };
}
