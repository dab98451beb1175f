import { describe, expect, test } from "vitest";
import { run } from "./run.ts";

/**
 * Every message that wrong usage meets: what was typed, and the two lines that it says. Each exits with 2, prints nothing on stdout,
 * and with --json says the same in one object.
 */
interface Shown {
  readonly typed: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly says: string;
  readonly hint: string;
}

const ADDRESS = { FILLBOOK_ACCOUNT_URL: "https://account.example.com" };

const COMMANDS_AND_FLAGS: readonly Shown[] = [
  {
    typed: ["snyc"],
    says: 'fillbook: there is no command "snyc"',
    hint: "did you mean: fillbook sync",
  },
  {
    typed: ["frobnicate"],
    says: 'fillbook: there is no command "frobnicate"',
    hint: "list the commands with: fillbook --help",
  },
  {
    typed: ["help", "exprot"],
    says: 'fillbook: there is no command "exprot"',
    hint: "did you mean: fillbook export",
  },
  {
    typed: ["status", "--stor", "x"],
    says: "fillbook status: there is no option --stor",
    hint: "did you mean --store?",
  },
  {
    typed: ["status", "--stoer=x"],
    says: "fillbook status: there is no option --stoer",
    hint: "did you mean --store?",
  },
  {
    typed: ["status", "--wibble"],
    says: "fillbook status: there is no option --wibble",
    hint: "see the options with: fillbook status --help",
  },
  {
    typed: ["status", "-x"],
    says: "fillbook status: there is no option -x",
    hint: "see the options with: fillbook status --help",
  },
  {
    typed: ["sync", "--rewalk"],
    says: "fillbook sync: sync takes no --rewalk; it belongs to verify",
    hint: "see the options with: fillbook sync --help",
  },
  {
    typed: ["sync", "--token", "s3cr3t-s3cr3t"],
    says: "fillbook sync: --token is not an option: ps shows every flag of a program to everyone on the machine",
    hint: "set FILLBOOK_TOKEN, or FILLBOOK_TOKEN_SECRET to the name of a Secrets Manager secret; a token that was typed is best replaced",
  },
  {
    typed: ["sync", "--token=s3cr3t-s3cr3t"],
    says: "fillbook sync: --token is not an option: ps shows every flag of a program to everyone on the machine",
    hint: "set FILLBOOK_TOKEN, or FILLBOOK_TOKEN_SECRET to the name of a Secrets Manager secret; a token that was typed is best replaced",
  },
  {
    typed: ["status", "--store"],
    says: "fillbook status: --store needs a value after it",
    hint: "write: --store VALUE",
  },
  {
    typed: ["status", "--store", "--quiet"],
    says: "fillbook status: --store needs a value, and --quiet after it looks like another option",
    hint: "if it is the value, write: --store=VALUE",
  },
  {
    typed: ["status", "--quiet=yes"],
    says: "fillbook status: --quiet is a switch and takes no value",
    hint: "write --quiet alone, or leave it out",
  },
  {
    typed: ["status", "--account", "a", "--account", "b"],
    says: "fillbook status: --account is given twice",
    hint: "keep one of them",
  },
  {
    typed: ["sync", "2025"],
    says: 'fillbook sync: sync takes no argument, and "2025" is one',
    hint: "see how it is used with: fillbook sync --help",
  },
];

const SETTINGS: readonly Shown[] = [
  {
    typed: ["status", "--account", "My Account"],
    says: 'fillbook status: --account is "My Account": an account is 1 to 32 of the letters a-z, digits and dashes',
    hint: "for example: --account my-account",
  },
  {
    typed: ["status"],
    environment: { FILLBOOK_ACCOUNT: "../other" },
    says: 'fillbook status: FILLBOOK_ACCOUNT is "../other": an account is 1 to 32 of the letters a-z, digits and dashes',
    hint: "for example: FILLBOOK_ACCOUNT=my-account",
  },
  {
    typed: ["status", "--concurrency", "65"],
    says: 'fillbook status: --concurrency is "65": it must be a whole number from 1 to 64',
    hint: "for example: --concurrency 4",
  },
  {
    typed: ["status", "--concurrency", "2.5"],
    says: 'fillbook status: --concurrency is "2.5": it must be a whole number from 1 to 64',
    hint: "for example: --concurrency 4",
  },
  {
    typed: ["status", "--max-rps", "fast"],
    says: 'fillbook status: --max-rps is "fast": it must be a number from 0.01 to 1000',
    hint: "for example: --max-rps 5",
  },
  {
    typed: ["status"],
    environment: { FILLBOOK_SETTLE_LAG: "-1" },
    says: 'fillbook status: FILLBOOK_SETTLE_LAG is "-1": it must be a whole number from 0 to 604800',
    hint: "for example: FILLBOOK_SETTLE_LAG=300",
  },
  {
    typed: ["status"],
    environment: { FILLBOOK_QUIET: "maybe" },
    says: 'fillbook status: FILLBOOK_QUIET is "maybe": it is a switch: 1 or 0',
    hint: "for example: FILLBOOK_QUIET=1",
  },
  {
    typed: ["status", "--store", "gs://bucket"],
    says: 'fillbook status: --store: not a store: "gs://bucket": "gs://" is not known',
    hint: "for example: --store ./fillbook-data, or --store s3://bucket/prefix",
  },
  {
    typed: ["export", "--period", "us-2025", "--pack-store", "s3://Packs/books"],
    says: 'fillbook export: --pack-store: not a store: "s3://Packs/books": "Packs" cannot be the name of a bucket',
    hint: "for example: --pack-store ./fillbook-data, or --pack-store s3://bucket/prefix",
  },
  {
    typed: ["verify"],
    environment: { FILLBOOK_PACK_STORE: "gs://bucket" },
    says: 'fillbook verify: FILLBOOK_PACK_STORE: not a store: "gs://bucket": "gs://" is not known',
    hint: "for example: FILLBOOK_PACK_STORE=./fillbook-data, or FILLBOOK_PACK_STORE=s3://bucket/prefix",
  },
  ...[
    { url: "account.example.com", says: "is not an address" },
    { url: "ftp://account.example.com", says: "begins with ftp: and not with https:" },
    { url: "http://account.example.com", says: "is http to account.example.com: only https leaves this machine" },
    { url: "https://account.example.com/?a=1", says: "holds a ? or a #: give the host, and a path at most" },
    {
      url: "https://me:s3cr3t-s3cr3t@account.example.com",
      says: "holds a user name or a password: the token has a setting of its own",
    },
  ].map(({ url, says }) => ({
    typed: ["sync", "--account-url", url],
    says: `fillbook sync: --account-url ${says}`,
    hint: "write --account-url https://host.example.com",
  })),
  {
    typed: ["sync"],
    environment: { ...ADDRESS, FILLBOOK_TOKEN: "Bearer s3cr3t-s3cr3t" },
    says: "fillbook sync: the token holds a space or a line break",
    hint: 'give the token alone, without "Bearer " before it and without a line break after it',
  },
];

const NEEDS: readonly Shown[] = [
  {
    typed: ["sync"],
    environment: { FILLBOOK_TOKEN: "s3cr3t-s3cr3t" },
    says: "fillbook sync: sync: the address of the account host is not set",
    hint: "give it with --account-url, or in FILLBOOK_ACCOUNT_URL",
  },
  {
    typed: ["sync"],
    environment: ADDRESS,
    says: "fillbook sync: there is no token",
    hint: "set FILLBOOK_TOKEN, or FILLBOOK_TOKEN_SECRET to the name of a Secrets Manager secret that holds it",
  },
  {
    typed: ["sync"],
    environment: { ...ADDRESS, FILLBOOK_TOKEN: "s3cr3t-s3cr3t", FILLBOOK_TOKEN_SECRET: "trading/main" },
    says: "fillbook sync: FILLBOOK_TOKEN and FILLBOOK_TOKEN_SECRET are both set",
    hint: "keep the one that is meant",
  },
  {
    typed: ["verify", "--rewalk"],
    says: "fillbook verify: verify --rewalk: the address of the account host is not set",
    hint: "give it with --account-url, or in FILLBOOK_ACCOUNT_URL",
  },
  {
    typed: ["completed-orders"],
    says: "fillbook completed-orders: completed-orders: the address of its host is not set",
    hint: "give it with --account-url, or in FILLBOOK_ACCOUNT_URL",
  },
  {
    typed: ["open-order", "BTC-USD", "--order-id", "01J"],
    environment: ADDRESS,
    says: "fillbook open-order: there is no token",
    hint: "set FILLBOOK_TOKEN, or FILLBOOK_TOKEN_SECRET to the name of a Secrets Manager secret that holds it",
  },
  ...[
    { typed: ["markets"], endpoint: "markets" },
    { typed: ["specs"], endpoint: "product-specifications" },
    { typed: ["market-data", "BTC-USD"], endpoint: "market-data" },
  ].map(({ typed, endpoint }) => ({
    typed,
    says: `fillbook ${typed[0]}: ${endpoint}: the address of its host is not set`,
    hint: "give it with --market-data-url, or in FILLBOOK_MARKET_DATA_URL",
  })),
  {
    typed: ["set-leverage", "BTC-USD", "3"],
    environment: { FILLBOOK_TOKEN: "s3cr3t-s3cr3t" },
    says: "fillbook set-leverage: update-leverage: the address of its host is not set",
    hint: "give it with --order-url, or in FILLBOOK_ORDER_URL",
  },
];

const TIMES: readonly Shown[] = [
  {
    typed: ["sync", "--from", "yesterday"],
    says: 'fillbook sync: --from is "yesterday", which is not a time',
    hint: "write --from 2025-01-01 (midnight UTC), or --from 2025-01-01T09:30:00Z",
  },
  {
    typed: ["sync", "--from", "1735689600000"],
    says: 'fillbook sync: --from is "1735689600000", which is not a time',
    hint: "write --from 2025-01-01 (midnight UTC), or --from 2025-01-01T09:30:00Z",
  },
  {
    typed: ["sync", "--to", "2025-01-01T10:00"],
    says: 'fillbook sync: --to is "2025-01-01T10:00", a time without its offset from UTC',
    hint: "write --to 2025-01-01T10:00Z if it is UTC, or the offset: --to 2025-01-01T10:00+01:00",
  },
  {
    typed: ["sync", "--from", "2025-02-30"],
    says: 'fillbook sync: --from is "2025-02-30": there is no such day or hour',
    hint: "write --from 2025-01-31, or --from 2025-01-31T09:30:00Z",
  },
  {
    typed: ["sync", "--from", "2025-01-01T25:00Z"],
    says: 'fillbook sync: --from is "2025-01-01T25:00Z": there is no such day or hour',
    hint: "write --from 2025-01-31, or --from 2025-01-31T09:30:00Z",
  },
  {
    typed: ["sync", "--from", "0205-01-01"],
    says: 'fillbook sync: --from is "0205-01-01": the year must be from 2000 to 2100',
    hint: "write --from 2025-01-01",
  },
  {
    typed: ["sync", "--from", "2025-01-02", "--to", "2025-01-02"],
    says: "fillbook sync: --from 2025-01-02 is not before --to 2025-01-02",
    hint: "a range ends before --to: one day is --from 2025-01-01 --to 2025-01-02",
  },
];

const OF_A_COMMAND: readonly Shown[] = [
  {
    typed: ["export"],
    says: "fillbook export: export needs a period",
    hint: "write --period us-2025 (list them with: fillbook periods), or --from 2025-01-01 --to 2026-01-01",
  },
  {
    typed: ["export", "--from", "2025-01-01"],
    says: "fillbook export: export needs a period",
    hint: "write --period us-2025 (list them with: fillbook periods), or --from 2025-01-01 --to 2026-01-01",
  },
  {
    typed: ["export", "--period", "us-2025", "--from", "2025-01-01"],
    says: "fillbook export: --period and --from/--to are two ways to say the same",
    hint: "keep one of them",
  },
  {
    typed: ["export", "--period", "us-2025", "--method", "cheapest"],
    says: 'fillbook export: there is no method "cheapest"',
    hint: "write --method and one of average, fifo, lifo, hifo, specific",
  },
  {
    typed: ["export", "--period", "us-2025", "--method", "FIFO"],
    says: 'fillbook export: there is no method "FIFO"',
    hint: "did you mean --method fifo?",
  },
  {
    typed: ["export", "--period", "us-2025", "--method", "avrage"],
    says: 'fillbook export: there is no method "avrage"',
    hint: "did you mean --method average?",
  },
  {
    typed: ["export", "--period", "us-2025", "--basis", "settlement"],
    says: 'fillbook export: there is no basis "settlement"',
    hint: "write --basis and one of fill, transaction",
  },
  {
    typed: ["export", "--period", "us-2025", "--basis", "fills"],
    says: 'fillbook export: there is no basis "fills"',
    hint: "did you mean --basis fill?",
  },
  {
    typed: ["export", "--period", "us-2025", "--currency", "eur"],
    says: 'fillbook export: --currency is "eur": a currency is 3 to 5 capital letters',
    hint: "did you mean --currency EUR?",
  },
  {
    typed: ["export", "--period", "us-2025", "--currency", "€"],
    says: 'fillbook export: --currency is "€": a currency is 3 to 5 capital letters',
    hint: "write its code, for example: --currency EUR",
  },
  {
    typed: ["export", "--period", "us-2025", "--inputs", ""],
    says: "fillbook export: --inputs is empty",
    hint: "name a folder, for example: --inputs ./inputs",
  },
  {
    typed: ["export", "--period", "us-2025", "--out", ""],
    says: "fillbook export: --out is empty",
    hint: "name a folder, for example: --out ./us-2025",
  },
  {
    typed: ["specs", "BTC-USD", "ETH-USD"],
    says: 'fillbook specs: specs takes one market at most, and "ETH-USD" is a second one',
    hint: "leave the market out to see them all",
  },
  {
    typed: ["specs", "bitcoin"],
    says: 'fillbook specs: "bitcoin" is not the name of a market',
    hint: "a name is BASE-QUOTE, as BTC-USD; list them with: fillbook markets",
  },
  {
    typed: ["market-data"],
    says: "fillbook market-data: market-data needs at least one market",
    hint: "for example: fillbook market-data BTC-USD; list the markets with: fillbook markets",
  },
  {
    typed: ["open-order"],
    says: "fillbook open-order: open-order needs one market",
    hint: "for example: fillbook open-order BTC-USD --order-id ID; list the markets with: fillbook markets",
  },
  {
    typed: ["open-order", "BTC-USD"],
    says: "fillbook open-order: open-order needs the id of the order",
    hint: "write --order-id ID, or --client-request-id ID when the order's creation was not confirmed",
  },
  {
    typed: ["open-order", "BTC-USD", "--order-id", "a", "--client-request-id", "b"],
    says: "fillbook open-order: --order-id and --client-request-id are both given, and the service takes one",
    hint: "keep --order-id if it is known; --client-request-id is for an order whose creation was not confirmed",
  },
  {
    typed: ["set-leverage", "BTC-USD"],
    says: "fillbook set-leverage: set-leverage needs one market and one leverage",
    hint: "for example: fillbook set-leverage BTC-USD 3",
  },
  {
    typed: ["set-leverage", "BTC-USD", "6"],
    says: 'fillbook set-leverage: the leverage is "6": it must be one of 1, 2, 3, 4, 5',
    hint: "for example: fillbook set-leverage BTC-USD 3",
  },
  {
    typed: ["serve", "8080"],
    says: 'fillbook serve: serve takes no argument, and "8080" is one',
    hint: "see how it is used with: fillbook serve --help",
  },
  ...["0", "65536", "http", "8080.5", ""].map((port) => ({
    typed: ["serve", `--port=${port}`],
    says: `fillbook serve: --port is "${port}": it must be a whole number from 1 to 65535`,
    hint: "for example: --port 8080, or leave it out: any that is free is taken",
  })),
];

describe.each([
  ["commands and flags", COMMANDS_AND_FLAGS],
  ["settings", SETTINGS],
  ["what a command needs", NEEDS],
  ["times", TIMES],
  ["a command's own arguments", OF_A_COMMAND],
])("%s", (_, shown) => {
  test.each(shown.map((one) => ({ ...one, line: one.typed.join(" ") })))("fillbook $line: $says", async (one) => {
    const environment = one.environment ?? {};
    const people = await run(one.typed, { environment });
    expect(people).toEqual({ code: 2, stdout: "", stderr: `${one.says}\n  ${one.hint}\n` });

    const machine = await run(["--json", ...one.typed], { environment });
    expect(machine.code).toBe(2);
    const message = one.says.slice(one.says.indexOf(": ") + 2);
    expect(JSON.parse(machine.stdout)).toEqual({ error: { kind: "usage", message, hint: one.hint } });
    expect(machine.stdout + machine.stderr + people.stderr).not.toContain("s3cr3t-s3cr3t");
  });
});
