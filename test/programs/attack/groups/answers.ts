import type { HttpOutcome } from "../../../../lambda/service/transport.ts";
import { hash32, hashText, prng } from "../../../support/prng.ts";
import { type Attack, CANARY, type Draw, endedIn, equal, type Group } from "../attack.ts";
import { type Answering, accountHistory, openBench, recovers, SYNC } from "../bench.ts";

/** Exit code 3 means that the service refused the token. */
const CODES = [2, 3, 4, 5];

function answer(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): HttpOutcome {
  return { kind: "answer", status, header: (name) => headers[name], body };
}

function page(rows: readonly unknown[], last?: unknown): string {
  return JSON.stringify({ completedOrders: rows, ...(last === undefined ? {} : { last }) });
}

const ROW = {
  market: "BTC-USD",
  matchId: "m-1",
  orderId: "o-1",
  orderType: "buy",
  executionType: "taker",
  fillType: "complete",
  price: "1",
  quantity: "1",
  tradeType: "limit",
  txCreated: Date.UTC(2025, 0, 15),
  fees: "0",
  triggerType: "none",
  triggerPrice: "0",
  transactionHash: "0x1",
};

const DEPTH = 100_000;

/** Bodies with status 200 that are not a page of fills. */
const BODIES: Readonly<Record<string, string>> = {
  nothing: "",
  "white space of 7 MB": " ".repeat(7_000_000),
  "JSON's null": "null",
  "a number": "12",
  "a text": '"maintenance"',
  "a list": "[]",
  "an object without fills": "{}",
  "a page of HTML": "<!DOCTYPE html><title>Sign in</title><script>alert(1)</script>",
  "half a page": page([ROW]).slice(0, -20),
  "two pages": page([]) + page([]),
  "fills that are null": '{"completedOrders":null}',
  "fills that are an object": '{"completedOrders":{"length":1}}',
  "fills that are a text": '{"completedOrders":"none"}',
  "a fill that is null": page([null]),
  "a fill that is a list": page([[]]),
  "a fill that is a number": page([1]),
  "a fill without anything": page([{}]),
  "lists within lists, a hundred thousand": "[".repeat(DEPTH),
  "lists within lists in a fill": `{"completedOrders":[{"x":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}}]}`,
  "objects within objects": `{"completedOrders":[{"x":${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}}]}`,
  "a cursor that is an object": page([ROW], {}),
  "a cursor that is a list": page([ROW], ["a"]),
  "a number that is none": '{"completedOrders":[{"price":NaN}]}',
  "a prototype": '{"__proto__":{"completedOrders":[]},"constructor":1}',
  "an escape that is none": '{"completedOrders":[{"market":"\\x41"}]}',
  "a NUL": '{"completedOrders":[\0]}',
  "an error with the token in it": JSON.stringify({ message: `unknown token ${CANARY}` }),
};

/** Values of a field that make it impossible to file a fill. */
const FIELDS: readonly (readonly [field: keyof typeof ROW, value: unknown])[] = [
  ["txCreated", null],
  ["txCreated", "2025-01-15"],
  ["txCreated", -1],
  ["txCreated", 1.5],
  ["txCreated", 1e300],
  ["txCreated", 8_640_000_000_000_001],
  ["txCreated", []],
  ["matchId", null],
  ["matchId", ""],
  ["matchId", {}],
  ["matchId", []],
  ["orderId", false],
  ["orderId", ""],
];

/** Answers without data, repeated for ever. */
const STATUSES: readonly (readonly [name: string, outcome: HttpOutcome])[] = [
  ...[100, 204, 206, 304, 400, 404, 405, 410, 418, 500, 503, 599].map(
    (status) => [`status ${status}`, answer("{}", status)] as const,
  ),
  ["status 200 to whom the token is unknown", answer(`{"message":"bad token ${CANARY}"}`, 401)],
  ["forbidden, with the token in the message", answer(`{"message":"bad token ${CANARY}"}`, 403)],
  ["refused dates, with the token in the message", answer(`{"message":"bad token ${CANARY}"}`, 400)],
  ["a server's fault with the token in the message", answer(`{"message":"bad token ${CANARY}"}`, 500)],
  ...["1000000000", "-1", "soon", "1e99", "Fri, 31 Dec 9999 23:59:59 GMT", "9".repeat(400), ""].map(
    (wait) =>
      [`too many requests, Retry-After: ${wait.slice(0, 40)}`, answer("{}", 429, { "retry-after": wait })] as const,
  ),
  ["a limit that is no limit", answer("{}", 429, { ratelimit: '"default";r=-1;t=1e400', "ratelimit-policy": "\0" })],
  [
    "a message of a megabyte with terminal codes",
    answer(JSON.stringify({ message: "\u001B[2J\u202E".repeat(100_000) }), 500),
  ],
  ["a redirect elsewhere", answer("", 302, { location: "https://evil.example/take" })],
  ["a redirect to a file", answer("", 307, { location: "file:///etc/passwd" })],
  ["a redirect that is no address", answer("", 301, { location: "http://[" })],
  ...[
    "ECONNRESET",
    "UND_ERR_BODY_TIMEOUT",
    "NOT_UTF8",
    "TOO_SLOW",
    "UND_ERR_RES_EXCEEDED_MAX_SIZE",
    "CERT_HAS_EXPIRED",
  ].map((code) => [`no answer: ${code}`, { kind: "failed", code } as const] as const),
];

/** A fill that the service really has. */
const REAL = accountHistory().item(40);

/** An endless account, whatever dates are requested. No client can distinguish it from a long account. */
const BOTTOMLESS: Answering = (_, __, nth) =>
  Promise.resolve(answer(page([{ ...ROW, matchId: `m-${nth}`, txCreated: Date.UTC(2019, 0, 1) + nth }], `c-${nth}`)));

/** Services whose answers never end. */
const ENDLESS: Readonly<Record<string, () => Answering>> = {
  "a new cursor for ever, and no fill": () => (_, __, nth) => Promise.resolve(answer(page([], `c-${nth}`))),
  "the same cursor for ever, and no fill": () => () => Promise.resolve(answer(page([], "c"))),
  "the same page for ever": () => () => Promise.resolve(answer(page([REAL], "c"))),
  "the same fill with a new cursor for ever": () => (_, __, nth) => Promise.resolve(answer(page([REAL], `c-${nth}`))),
  "two cursors in turns": () => (_, __, nth) => Promise.resolve(answer(page([REAL], `c-${nth % 2}`))),
  "a cursor of a megabyte": () => (_, __, nth) => Promise.resolve(answer(page([], `${"c".repeat(1_000_000)}${nth}`))),
  "fills of the future, for ever": () => (_, __, nth) =>
    Promise.resolve(answer(page([{ ...ROW, matchId: `m-${nth}`, txCreated: Date.UTC(2199, 0, 1) + nth }], `c-${nth}`))),
};

export const ANSWERS: Group = {
  name: "Hostile answers of the service",
  must: "exit 2 to 5 within 5,000 requests; no false coverage; the next run is complete",
  attacks: (draw) => {
    const always = [
      ...Object.entries(BODIES).map(([name, body]) => [name, answer(body)] as const),
      ...FIELDS.map(
        ([field, value]) => [`${field}: ${JSON.stringify(value)}`, answer(page([{ ...ROW, [field]: value }]))] as const,
      ),
      ...STATUSES,
    ];
    return Promise.resolve([
      ...always.map(([name, outcome]) => attack(`always: ${name}`, () => () => Promise.resolve(outcome))),
      ...Object.entries(ENDLESS).map(([name, answering]) => attack(name, answering)),
      { name: "new fills for ever, and a person who stops it", run: stopped },
      ...always.flatMap(([name, outcome]) => midway(name, outcome, draw)),
    ]);
  },
};

function attack(name: string, answering: () => Answering): Attack {
  return {
    name,
    async run() {
      const bench = openBench();
      const ran = await bench.type(SYNC, { answering: answering() });
      endedIn(ran, CODES);
      await recovers(bench);
      return `exit ${ran.code}`;
    },
  };
}

async function stopped(): Promise<string> {
  const ran = await openBench().type(SYNC, { answering: BOTTOMLESS, stopAt: 1000 });
  equal(endedIn(ran, [4])["complete"], false, "complete");
  return `exit ${ran.code}`;
}

/**
 * One bad answer among good ones. Either the client repeats the request and succeeds, or the run reports a
 * failure.
 */
function midway(name: string, outcome: HttpOutcome, { seed, each }: Draw): Attack[] {
  const draws = prng(hash32(seed, hashText(name)));
  return Array.from({ length: each }, () => {
    const bad = 1 + draws.int(20);
    return {
      name: `answer ${bad} only: ${name}`,
      async run() {
        const bench = openBench();
        const ran = await bench.type(SYNC, {
          answering: (_, honest, nth) => (nth === bad ? Promise.resolve(outcome) : honest()),
        });
        endedIn(ran, [0, ...CODES]);
        await (ran.code === 0 ? bench.isWhole() : bench.isSound());
        await recovers(bench);
        return `exit ${ran.code}`;
      },
    };
  });
}
