import { fixedToken, Token } from "../../lambda/core/token.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { createLimiter } from "../../lambda/service/limiter.ts";
import { createReader } from "../../lambda/service/reader.ts";
import type { ServiceReader } from "../../lambda/service/service.ts";
import { type Emulator, SAMPLE_TOKEN } from "../emulator/core.ts";
import { IN_PROCESS_URLS, inProcess } from "../emulator/in-process.ts";
import type { FakeClock } from "./fake-clock.ts";

/**
 * The program's own client with limiter and retries, as in a new process. It is connected to the emulator in
 * this process.
 */
export function freshClient(
  emulator: Emulator,
  { clock, random, concurrency }: { clock: FakeClock } & Pick<RunContext, "random" | "concurrency">,
): ServiceReader {
  const send = inProcess(emulator, clock);
  return createReader({
    accountUrl: IN_PROCESS_URLS.accountUrl.replace("http:", "https:"),
    marketDataUrl: null,
    tokens: fixedToken(new Token(SAMPLE_TOKEN)),
    clock,
    random,
    limiter: createLimiter({ clock, random, concurrency, maxRps: null }),
    connect: () => ({
      close: () => Promise.resolve(),
      async send(request, signal) {
        const url = IN_PROCESS_URLS.accountUrl + request.path;
        try {
          const { status, headers, body } = await send({ ...request, url, signal });
          return { kind: "answer", status, header: (name) => headers[name], body };
        } catch (error) {
          const { code } = error as { readonly code?: string };
          if (code === undefined) {
            throw error;
          }
          return { kind: "failed", code };
        }
      },
    }),
  });
}
