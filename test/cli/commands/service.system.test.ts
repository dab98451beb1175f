import { afterAll, beforeAll, expect, test } from "vitest";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../../emulator/server.ts";
import { startSecretsDouble } from "../../support/secrets-double.ts";
import { startCli } from "../child.ts";
import { run } from "./run.ts";

// One command per endpoint, through the real client, against the emulated service, whose data are known.

let service: RunningEmulator;
let environment: Record<string, string> = {};

beforeAll(async () => {
  const history = makeHistory({ seed: 3, fills: 250, from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 1, 1) });
  service = await startEmulator({ history });
  environment = {
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_ORDER_URL: service.orderUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_TOKEN: SAMPLE_TOKEN,
    FILLBOOK_JSON: "1",
  };
});

afterAll(() => service.close());

async function object(line: readonly string[]) {
  const ran = await run(line, { environment });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ran.stdout);
}

test("markets, specs and market-data are requested without the token", async () => {
  const before = { ...service.emulator.log.withToken };
  const { markets } = await object(["markets"]);
  expect(markets.toSorted()).toEqual(service.emulator.markets.toSorted());
  const { productSpecifications } = await object(["specs"]);
  expect(productSpecifications.map((one: { market: string }) => one.market).toSorted()).toEqual(markets.toSorted());
  const { marketData } = await object(["market-data", ...markets.slice(0, 2)]);
  const types = "24H_COUNT 24H_VOLUME ASK BID FUNDING INDEX NEXT_FUNDING OPEN_INTEREST"; // interface document, 2.5
  for (const market of markets.slice(0, 2)) {
    const own = marketData.filter((one: { market: string }) => one.market === market);
    expect(
      own
        .map((one: { type: string }) => one.type)
        .toSorted()
        .join(" "),
    ).toBe(types);
  }
  expect(service.emulator.log.withToken).toEqual(before);
});

test("the exit code is 2 for a market and 3 for a token that the service does not know", async () => {
  const market = await run(["set-leverage", "NO-SUCH", "4"], { environment });
  expect(market.code).toBe(2);
  const token = await run(["completed-orders"], { environment: { ...environment, FILLBOOK_TOKEN: "another-token" } });
  expect(token.code).toBe(3);
  expect(JSON.parse(token.stdout).error.kind).toBe("token");
  expect(token.stdout + token.stderr).not.toContain("another-token");
});

test("the token may be in Secrets Manager", async () => {
  const secrets = await startSecretsDouble();
  try {
    secrets.secrets.set("fillbook/main", JSON.stringify({ token: SAMPLE_TOKEN }));
    const { FILLBOOK_TOKEN: _, ...rest } = environment;
    const aws = {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    };
    const found = await startCli(["completed-orders"], { ...rest, ...aws, FILLBOOK_TOKEN_SECRET: "fillbook/main" })
      .ended;
    expect(found).toMatchObject({ code: 0, stderr: "" });
    const missing = await startCli(["completed-orders"], { ...rest, ...aws, FILLBOOK_TOKEN_SECRET: "fillbook/other" })
      .ended;
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(
      /^fillbook completed-orders: the secret fillbook\/other of FILLBOOK_TOKEN_SECRET cannot be read: ResourceNotFoundException: /,
    );
    expect(secrets.asked).toEqual(["fillbook/main", "fillbook/other"]);
  } finally {
    await secrets.close();
  }
});
