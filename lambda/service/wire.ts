import { FillbookError } from "../core/errors.ts";
import { describe, isJsonRecord, isTooDeep, type JsonRecord, numberOf, numberText, settled } from "../formats/json.ts";
import { parseJson } from "./json.ts";
import type { MarketDatum, OpenOrder, ProductSpecification } from "./service.ts";

/**
 * Decodes the answers of the other endpoints (service-interface, 2.3 to 2.5). They are small, and every
 * number keeps its source text. Fields that the interface does not list are kept.
 */
type FieldType = "text" | "time" | "whole" | "flag";

interface Shape {
  readonly endpoint: string;
  readonly fields: Readonly<Partial<Record<FieldType, readonly string[]>>>;
  /** An item without these is useless. Any other field may be absent. */
  readonly required: readonly string[];
}

const OPEN_ORDER: Shape = {
  endpoint: "open-order",
  fields: {
    text: [
      ...["market", "orderId", "orderType", "tradeType", "price", "quantity", "filledQuantity", "leverage"],
      ...["orderStatus", "clientRequestId"],
    ],
    time: ["createdAt", "updatedAt"],
    flag: ["postOnly"],
  },
  required: ["market", "orderId"],
};

const SPECIFICATION: Shape = {
  endpoint: "product-specifications",
  fields: {
    text: ["market", "tickSize", "lotSize", "minOrderSizeUSD", "maxOrderSizeUSD", "contractType"],
    whole: ["fundingIntervalHours"],
  },
  required: ["market"],
};

const DATUM: Shape = {
  endpoint: "market-data",
  fields: { text: ["market", "type", "index", "value"], time: ["updatedAt"] },
  required: ["market", "type", "value"],
};

// Each throws a FillbookError: `incomplete` if the body is not the endpoint's, so that it is asked again;
// `untrusted` if a field is wrong.

export function decodeOpenOrder(body: string): OpenOrder {
  const answer = parseJson(OPEN_ORDER.endpoint, body, true);
  const order = isJsonRecord(answer) ? answer["openOrder"] : undefined;
  if (!isJsonRecord(order)) {
    throw new FillbookError("incomplete", `${OPEN_ORDER.endpoint}: openOrder is ${describe(order)}, not an order`);
  }
  return checked(OPEN_ORDER, order, "openOrder") as OpenOrder;
}

export function decodeSpecifications(body: string): ProductSpecification[] {
  const all = items(SPECIFICATION, body) as ProductSpecification[];
  const types = new Map(all.map(({ market, contractType }) => [market, contractType]));
  const other = all.findIndex(({ market, contractType }) => types.get(market) !== contractType);
  if (other !== -1) {
    throw wrong(
      SPECIFICATION.endpoint,
      `[${other}]`,
      all[other]?.market,
      "which comes again with another contractType",
    );
  }
  return all;
}

export function decodeMarketData(body: string): MarketDatum[] {
  return items(DATUM, body) as MarketDatum[];
}

function items(shape: Shape, body: string): JsonRecord[] {
  const answer = parseJson(shape.endpoint, body, true);
  if (!Array.isArray(answer)) {
    throw new FillbookError("incomplete", `${shape.endpoint}: the answer is ${describe(answer)}, not an array`);
  }
  return answer.map((item, index) => checked(shape, item, `[${index}]`));
}

function checked(shape: Shape, item: unknown, where: string): JsonRecord {
  if (!isJsonRecord(item)) {
    throw wrong(shape.endpoint, where, item, "not an object");
  }
  for (const name of shape.required) {
    if (item[name] === undefined || item[name] === null) {
      throw wrong(shape.endpoint, `${where}.${name}`, item[name] ?? undefined, "which every item has");
    }
  }
  const types = typesOf(shape);
  // Null means the same as an absent field. fromEntries: `__proto__` is data like any other key.
  const entries = Object.entries(item).filter(([name, value]) => !(value === null && types.has(name)));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const label = `${where}.${/^\w{1,40}$/.test(name) ? name : describe(name)}`;
      return [name, field(shape, label, types.get(name), value)];
    }),
  );
}

function typesOf({ fields }: Shape): ReadonlyMap<string, FieldType> {
  const types = Object.keys(EXPECTED) as FieldType[]; // Object.keys forgets the keys' type
  return new Map(types.flatMap((type) => (fields[type] ?? []).map((name) => [name, type] as const)));
}

const EXPECTED: Readonly<Record<FieldType, string>> = {
  text: "not a text",
  time: "not a time in ms",
  whole: "not a whole number",
  flag: "not true or false",
};

function field(shape: Shape, where: string, type: FieldType | undefined, value: unknown): unknown {
  if (type === undefined) {
    if (isTooDeep(value)) {
      throw wrong(shape.endpoint, where, value, "nested too deep");
    }
    return settled(value);
  }
  const typed = typedValue(type, value);
  if (typed === undefined) {
    throw wrong(shape.endpoint, where, value, EXPECTED[type]);
  }
  return typed;
}

function typedValue(type: FieldType, value: unknown): string | number | boolean | undefined {
  if (type === "text") {
    return numberText(value) ?? (typeof value === "string" ? value : undefined);
  }
  if (type === "flag") {
    return typeof value === "boolean" ? value : undefined;
  }
  const whole = numberOf(value);
  return whole !== null && Number.isSafeInteger(whole) ? whole : undefined;
}

function wrong(endpoint: string, where: string, value: unknown, expected: string): FillbookError {
  return new FillbookError("untrusted", `${endpoint}: ${where} is ${describe(value)}, ${expected}`);
}

const MARKETS = "markets";

/**
 * The market names. The interface does not show their form: an array of names, or of objects with `market`,
 * `name` or `symbol`, or either of these under `markets` or `data`. Anything else is `untrusted`.
 */
export function decodeMarkets(body: string): string[] {
  const answer = parseJson(MARKETS, body, true);
  const list = isJsonRecord(answer) ? (answer["markets"] ?? answer["data"]) : answer;
  if (!Array.isArray(list)) {
    const message = `${MARKETS}: the answer is ${describe(answer)}, not a list of markets in a known format`;
    throw new FillbookError("untrusted", message, { hint: "known: names, or objects with market, name or symbol" });
  }
  return list.map((item, index) => {
    const name = isJsonRecord(item) ? (item["market"] ?? item["name"] ?? item["symbol"]) : item;
    if (typeof name !== "string" || name === "") {
      const what =
        isJsonRecord(item) && name !== undefined ? `an object whose name is ${describe(name)}` : describe(item);
      throw new FillbookError("untrusted", `${MARKETS}: [${index}] is ${what}, not the name of a market`);
    }
    return name;
  });
}
