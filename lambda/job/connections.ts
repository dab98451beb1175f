import { asFillbookError, FillbookError } from "../core/errors.ts";
import type { Components } from "./components.ts";
import { SCHEMA, type Settings } from "./settings.ts";

/** The result of one request to one host of the service. */
export interface Connection {
  readonly host: "account" | "market data" | "order";
  /** Null: not set. */
  readonly address: string | null;
  /** True if the host answered as the service does. Null: it was not asked. */
  readonly answered: boolean | null;
  /** The result in words, for the user. */
  readonly what: string;
  readonly problem: FillbookError | null;
}

type Parts = Pick<Components, "reader" | "requireAccountAccess">;
type Addresses = Pick<Settings, "accountUrl" | "marketDataUrl" | "orderUrl">;

/** Sends one request to each host that has one which changes nothing. */
export async function checkConnections(
  parts: Parts,
  addresses: Addresses,
  signal: AbortSignal,
): Promise<readonly Connection[]> {
  return [
    await accountConnection(parts, addresses, signal),
    await marketDataConnection(parts, addresses, signal),
    orderConnection(addresses),
  ];
}

async function accountConnection(
  { reader, requireAccountAccess }: Parts,
  { accountUrl: address }: Addresses,
  signal: AbortSignal,
): Promise<Connection> {
  const base = { host: "account" as const, address };
  try {
    await requireAccountAccess();
  } catch (error) {
    return { ...base, answered: null, what: "not asked", problem: asFillbookError(error) };
  }
  try {
    const answer = await (await reader()).completedOrders({}, signal);
    if (answer.kind === "page") {
      return { ...base, answered: true, what: "answered, and accepted the token", problem: null };
    }
    const problem = answer.kind === "range-refused" ? answer.problem : unusable();
    return { ...base, answered: true, what: "answered, but not with a page", problem };
  } catch (error) {
    const problem = asFillbookError(error);
    const isRefused = problem.kind === "token";
    return { ...base, answered: isRefused, what: isRefused ? "refused the token" : "did not answer", problem };
  }
}

function unusable(): FillbookError {
  return new FillbookError("untrusted", "completed-orders: the service refused a request for its newest page", {
    hint: `check ${SCHEMA.accountUrl.variable}`,
  });
}

async function marketDataConnection(
  { reader }: Parts,
  { marketDataUrl: address }: Addresses,
  signal: AbortSignal,
): Promise<Connection> {
  const base = { host: "market data" as const, address };
  if (address === null) {
    return { ...base, answered: null, what: "not set (markets, specs and market-data need it)", problem: null };
  }
  try {
    await (await reader()).markets(signal);
    return { ...base, answered: true, what: "answered", problem: null };
  } catch (error) {
    return { ...base, answered: false, what: "did not answer", problem: asFillbookError(error) };
  }
}

/** The order host's only request changes the leverage, so it is not sent. */
function orderConnection({ orderUrl: address }: Addresses): Connection {
  const what =
    address === null
      ? "not set (only set-leverage needs it)"
      : "not tested: its only request would change the leverage";
  return { host: "order", address, answered: null, what, problem: null };
}
