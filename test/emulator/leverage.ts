import { type EmulatorRequest, type HttpAnswer, json } from "./wire.ts";

const VALUES: readonly unknown[] = ["1", "2", "3", "4", "5"];

/**
 * Sets the leverage of one market (4.1). Rule 3 specifies the answer to an invalid market only; other invalid
 * input gets a 400 of the same shape here.
 */
export function updateLeverage(request: EmulatorRequest, markets: readonly string[]): HttpAnswer {
  const body = parseObject(request.body);
  if (body === null) {
    return invalid("the body is not a JSON object");
  }
  const { market, leverage: value } = body;
  if (typeof market !== "string" || !markets.includes(market)) {
    return invalid("invalid market");
  }
  if (typeof value !== "string" || !VALUES.includes(value)) {
    return invalid("leverage must be one of 1, 2, 3, 4, 5");
  }
  return json(200, { message: `leverage of ${market} set to ${value}` });
}

function invalid(message: string): HttpAnswer {
  return json(400, { body: message, statusCode: 400 });
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
