import { FillbookError, StoppedError } from "../core/errors.ts";
import { describe, isJsonRecord } from "../formats/json.ts";
import type { Question } from "./classify-response.ts";
import { lazyHost } from "./hosts.ts";
import { parseJson } from "./json.ts";
import { createRequester, type ServiceOptions } from "./request-with-retry.ts";
import type { Leverage, ServiceWriter } from "./service.ts";

export interface LeverageOptions extends ServiceOptions {
  readonly orderUrl: string | null;
}

const ENDPOINT = "update-leverage";
const UNKNOWN = "the leverage may or may not have been set";

/**
 * Makes the only call that changes something. Only its own command gets it.
 * @throws FillbookError `usage` for an invalid address.
 */
export function createLeverageWriter(options: LeverageOptions): ServiceWriter & { close(): Promise<void> } {
  const requester = createRequester(options);
  const host = lazyHost(options, requester, { option: "--order-url", address: options.orderUrl, showsToken: true });
  return {
    close: () => host.close(),
    async setLeverage(market, leverage, signal) {
      const question = leverageQuestion(market, leverage);
      const before = requester.counts.requests;
      try {
        return await host.ask(question, signal);
      } catch (error) {
        throw error instanceof StoppedError && requester.counts.requests > before
          ? new StoppedError(`stopped: ${UNKNOWN}`)
          : error;
      }
    },
  };
}

function leverageQuestion(market: string, leverage: Leverage): Question<string> {
  if (!/^[1-5]$/.test(leverage)) {
    throw new FillbookError("usage", `${ENDPOINT}: the leverage is ${describe(leverage)}, not one of 1, 2, 3, 4, 5`, {
      hint: "fillbook set-leverage BTC-USD 3",
    });
  }
  if (market === "") {
    throw new FillbookError("usage", `${ENDPOINT}: no market was named`, { hint: "fillbook set-leverage BTC-USD 3" });
  }
  return {
    endpoint: ENDPOINT,
    method: "POST",
    path: "/api/v1/update-leverage",
    body: JSON.stringify({ market, leverage }),
    decode: decodeMessage,
    changes: UNKNOWN,
  };
}

function decodeMessage(body: string): string {
  const answer = parseJson(ENDPOINT, body);
  const message = isJsonRecord(answer) ? answer["message"] : undefined;
  if (typeof message !== "string") {
    throw new FillbookError("incomplete", `${ENDPOINT}: message is ${describe(message)}, not a text`);
  }
  return message;
}
