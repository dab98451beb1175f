import { asFillbookError, type ErrorKind, usageError } from "../core/errors.ts";
import type { Components } from "./components.ts";
import type { Finding } from "./inspect-store.ts";
import { SCHEMA, type Settings } from "./settings.ts";

type Asked = (host: string, address: string | null, work: () => Promise<string>) => Promise<Finding>;

const REASONS: Partial<Readonly<Record<ErrorKind, string>>> = {
  usage: "not asked",
  token: "refused the token",
  incomplete: "did not answer",
};

const asked: Asked = async (host, address, work) => {
  const named = `the ${host} host${address === null ? "" : ` ${address}`}`;
  try {
    return { what: `${named}: ${await work()}`, problem: null };
  } catch (error) {
    const problem = asFillbookError(error);
    return { what: `${named}: ${REASONS[problem.kind] ?? "answered otherwise"}: ${problem.message}`, problem };
  }
};

/** Sends one request to each host that has one which changes nothing. */
export async function inspectService(
  { reader, requireAccountAccess }: Pick<Components, "reader" | "requireAccountAccess">,
  { accountUrl, marketDataUrl, orderUrl }: Pick<Settings, "accountUrl" | "marketDataUrl" | "orderUrl">,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const account = await asked("account", accountUrl, async () => {
    await requireAccountAccess();
    const answer = await (await reader()).completedOrders({}, signal);
    if (answer.kind === "page") {
      return "answered, and accepted the token";
    }
    throw answer.kind === "range-refused"
      ? answer.problem
      : usageError("it refused a request for its newest page", `check ${SCHEMA.accountUrl.variable}`);
  });
  const marketData = await asked("market data", marketDataUrl, async () => {
    if (marketDataUrl === null) {
      return "not set (markets, specs and market-data need it)";
    }
    await (await reader()).markets(signal);
    return "answered";
  });
  const untested = "not tested: its only request would change the leverage";
  const unset = "not set (only set-leverage needs it)";
  const order = await asked("order", orderUrl, () => Promise.resolve(orderUrl === null ? unset : untested));
  return [account, marketData, order];
}
