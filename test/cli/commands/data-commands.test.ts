import { expect, test } from "vitest";
import type { OrderKey, PageAnswer, PageRequest } from "../../../lambda/service/service.ts";
import { makeFill } from "../../support/make-fill.ts";
import { run } from "./run.ts";
import { stubReader } from "./stub-reader.ts";

// The commands that show single endpoints: what they request and what they print.

const fill = makeFill({
  matchId: "3b241101-e2bb-4255-8caf-4136c566a962",
  orderId: "01JABCDEFGHJKMNPQRSTVWXYZ0",
  filledAt: null,
  liquidity: "maker",
  transactionHash: "0xab",
  quantity: "0.100000000000000001",
  price: "97000.50",
  fee: "-0.12",
});
const reading = (answers: Parameters<typeof stubReader>[0]) => ({
  components: { reader: () => Promise.resolve(stubReader(answers)) },
});
const body = ' {"completedOrders":[{"price":"97000.50","new":1e400,"size":0.1000000000000000055}],"last":"it\'s"}\n';

function asks(answer: PageAnswer) {
  const requests: PageRequest[] = [];
  const completedOrders = (request: PageRequest) => {
    requests.push(request);
    return Promise.resolve(answer);
  };
  return { requests, ...reading({ completedOrders }) };
}

test("completed-orders --json prints the service's object with every digit unchanged", async () => {
  const { requests, components } = asks({ kind: "page", body, rows: [{ fill }], last: "it's" });
  const line = ["completed-orders", "--from", "2025-03-01", "--to", "2025-03-02T00:00:00+01:00", "--start=", "--json"];
  const ran = await run(line, { components });
  expect(ran).toEqual({ code: 0, stdout: `${body.trim()}\n`, stderr: "" });
  expect(requests).toEqual([{ startDate: Date.UTC(2025, 2, 1), endDate: Date.UTC(2025, 2, 1, 23), start: "" }]);
});

test("completed-orders prints a table and a command for the next page that is safe to paste into a shell", async () => {
  const { requests, components } = asks({
    kind: "page",
    body,
    rows: [{ fill }, { unfilable: "it has no matchId" }],
    last: "it's",
  });
  const ran = await run(["completed-orders"], { components });
  const cells = `2025-03-01T12:34:56.789Z BTC-USD buy 0.100000000000000001 97000.50 -0.12 maker ${fill.orderId} ${fill.matchId}`;
  expect(ran.stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["time", "market", "side", "quantity", "price", "fee", "liquidity", "orderId", "matchId"],
    cells.split(" "),
    ["not a completed order: it has no matchId"],
    ["2 rows; next page: --start='it'\\''s'"],
    [""],
  ]);
  expect(requests).toEqual([{}]);
});

test("completed-orders reports a cursor that the service refuses", async () => {
  const { components } = asks({ kind: "cursor-refused", status: 410 });
  const ran = await run(["completed-orders", "--start", "old"], { components });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("the service refused the cursor of --start with status 410\n  a cursor is the `last`");
});

test("open-order sends only the id that was given", async () => {
  const asked: [string, OrderKey][] = [];
  const order = { market: "BTC-USD", orderId: "01J", quantity: "1.50", postOnly: true, future: { a: [1] } };
  const openOrder = (market: string, by: OrderKey) => {
    asked.push([market, by]);
    return Promise.resolve(order);
  };
  const byOrder = await run(["open-order", "BTC-USD", "--order-id", "01J", "--json"], reading({ openOrder }));
  expect(JSON.parse(byOrder.stdout)).toEqual({ openOrder: order });
  const byClient = await run(["open-order", "BTC-USD", "--client-request-id", "c-1"], reading({ openOrder }));
  expect(byClient.stdout).toBe(
    'field     value\nmarket    BTC-USD\norderId   01J\nquantity  1.50\npostOnly  true\nfuture    {"a":[1]}\n',
  );
  expect(asked).toEqual([
    ["BTC-USD", { orderId: "01J" }],
    ["BTC-USD", { clientRequestId: "c-1" }],
  ]);
});

test("open-order prints an answer, not an error, for an order that is not open", async () => {
  const none = reading({ openOrder: () => Promise.resolve(null) });
  const line = ["open-order", "BTC-USD", "--order-id", "01J"];
  expect(await run([...line, "--json"], none)).toEqual({ code: 0, stdout: '{"openOrder":null}\n', stderr: "" });
  expect((await run(line, none)).stdout).toBe("no open order with this id in BTC-USD\n");
});

test("markets prints one name per line or one object, and no control characters from the service", async () => {
  const markets = ["BTC-USD", "\u001b]0;x\u0007-USD", "\u009b2J-USD"];
  const three = reading({ markets: () => Promise.resolve(markets) });
  expect((await run(["markets"], three)).stdout).toBe("market\nBTC-USD\n\\u001b]0;x\\u0007-USD\n\\u009b2J-USD\n");
  const json = (await run(["markets", "--json"], three)).stdout;
  expect(json).not.toMatch(/[^\P{Cc}\n]/u);
  expect(JSON.parse(json)).toEqual({ markets });
});

const SIZES = { tickSize: "0.5", lotSize: "0.001", fundingIntervalHours: 1, minOrderSizeUSD: "1", maxOrderSizeUSD: "" };
const SPECS = [
  { market: "BTC-USD", ...SIZES },
  { market: "ETH-USD", tickSize: "0.05", contractType: "Vanilla", future: "kept" },
];

test("specs prints all markets or one, and suggests the nearest name for an unknown market", async () => {
  const both = reading({ productSpecifications: () => Promise.resolve(SPECS) });
  const json = async (...names: string[]) => JSON.parse((await run(["specs", ...names, "--json"], both)).stdout);
  expect(await json()).toEqual({ productSpecifications: SPECS });
  expect(await json("ETH-USD")).toEqual({ productSpecifications: [SPECS[1]] });
  const table = (await run(["specs"], both)).stdout.split("\n");
  expect(table[1]?.split(/ {2,}/)).toEqual(["BTC-USD", "0.5", "0.001", "1", "1"]);
  expect(await run(["specs", "BTX-USD"], both)).toEqual({
    code: 2,
    stdout: "",
    stderr: 'fillbook specs: the service has no specification of "BTX-USD"\n  did you mean: fillbook specs BTC-USD\n',
  });
});

test("market-data splits names at spaces or commas", async () => {
  const asked: (readonly string[])[] = [];
  const data = [
    { market: "BTC-USD", type: "INDEX", index: "CCIX", value: "97000.123456789", updatedAt: 1_740_000_000_000 },
  ];
  const marketData = (markets: readonly string[]) => {
    asked.push(markets);
    return Promise.resolve(data);
  };
  const ran = await run(["market-data", "BTC-USD,ETH-USD", "SOL-USDT", "--json"], reading({ marketData }));
  expect(JSON.parse(ran.stdout)).toEqual({ marketData: data });
  expect(asked).toEqual([["BTC-USD", "ETH-USD", "SOL-USDT"]]);
  expect((await run(["market-data", "BTC-USD"], reading({ marketData }))).stdout).toContain(
    "INDEX  97000.123456789  CCIX   2025-02-19T21:20:00.000Z",
  );
});

test("set-leverage sends one request and prints the service's answer", async () => {
  const asked: unknown[] = [];
  const writer = {
    setLeverage(market: string, leverage: string) {
      asked.push([market, leverage]);
      return Promise.resolve("leverage updated");
    },
  };
  const components = { leverageWriter: () => Promise.resolve(writer) };
  const ran = await run(["set-leverage", "BTC-USD", "3", "--json"], { components });
  expect(ran).toEqual({
    code: 0,
    stdout: '{"market":"BTC-USD","leverage":"3","message":"leverage updated"}\n',
    stderr: "",
  });
  expect(asked).toEqual([["BTC-USD", "3"]]);
});

test("periods needs no address, no token and no store", async () => {
  const ran = await run(["periods", "--json"]);
  expect(ran.code).toBe(0);
  const { periods } = JSON.parse(ran.stdout);
  // The tax year is 6 April to 5 April: https://www.gov.uk/self-assessment-tax-returns/deadlines Both days
  // are in London's summer time.
  expect(periods).toContainEqual({
    name: "uk-2024-25",
    from: "2024-04-05T23:00:00.000Z",
    to: "2025-04-05T23:00:00.000Z",
    zone: "Europe/London",
    label: "United Kingdom",
    pattern: "uk-YYYY-YY",
  });
  const { stdout } = await run(["periods"]);
  expect(stdout).toMatch(/^uk-YYYY-YY +uk-2024-25 +2024-04-06 +2025-04-05 +Europe\/London +United Kingdom$/m);
  // https://www.ato.gov.au, "Individual tax return instructions 2025" are the instructions for 2024–25.
  expect(stdout).toMatch(/^au-2025 is au-2024-25: 1 July 2024 to 30 June 2025 \(Australia\/Sydney\)$/m);
});
