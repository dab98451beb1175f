import { parseArgs } from "node:util";
import { SAMPLE_TOKEN } from "./core.ts";
import { makeHistory } from "./history.ts";
import type { Density } from "./history-plan.ts";
import { startEmulator } from "./server.ts";
import { DEFAULT_SWITCHES, type Switches } from "./switches.ts";

const HELP = `Emulates the trading service on this machine.

npm run emulator -- [options]

  --seed N             seed of the account and of every random draw (default 1)
  --fills N            number of fills in the account (default 20000)
  --from T --to T      period of the fills, ISO 8601 (default 2025-01-01 to 2026-01-01)
  --density SHAPE      uniform, ramp, zipf-days, bursts or sparse (default uniform)
  --port N             first of three successive ports (default: any free ports)
  --token TOKEN        the accepted bearer token (default: a sample token)
  --switch NAME=VALUE  sets a behaviour that the interface leaves open; VALUE is JSON or a word; repeatable
  --help               prints this text and the switches with their defaults

Example: npm run emulator -- --fills 5000 --switch order=ascending --switch emptyPages=0.2
`;

const DENSITIES: readonly Density[] = ["uniform", "ramp", "zipf-days", "bursts", "sparse"];

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

class WrongUsage extends Error {}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw new WrongUsage(`--${name} ${text}: give a whole number`);
  }
  return Number(text);
}

function time(name: string, text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) {
    throw new WrongUsage(`--${name} ${text}: give a time such as 2025-01-01`);
  }
  return ms;
}

function densityOf(text: string): Density {
  const density = DENSITIES.find((known) => known === text);
  if (density === undefined) {
    throw new WrongUsage(`--density ${text}: give one of ${DENSITIES.join(", ")}`);
  }
  return density;
}

function switchesOf(settings: readonly string[]): Partial<Switches> {
  return Object.fromEntries(
    settings.map((setting) => {
      const equals = setting.indexOf("=");
      const name = setting.slice(0, Math.max(0, equals));
      if (!Object.hasOwn(DEFAULT_SWITCHES, name)) {
        throw new WrongUsage(
          `--switch ${setting}: give NAME=VALUE, where NAME is one of ${Object.keys(DEFAULT_SWITCHES).join(", ")}`,
        );
      }
      return [name, jsonOrWord(setting.slice(equals + 1))];
    }),
  );
}

function jsonOrWord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      fills: { type: "string", default: "20000" },
      from: { type: "string", default: "2025-01-01" },
      to: { type: "string", default: "2026-01-01" },
      density: { type: "string", default: "uniform" },
      port: { type: "string", default: "0" },
      token: { type: "string", default: SAMPLE_TOKEN },
      switch: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    const defaults = Object.entries(DEFAULT_SWITCHES).map(([name, value]) => `  ${name}=${JSON.stringify(value)}`);
    say(`${HELP}\nSwitches (test/emulator/switches.ts explains each):\n${defaults.join("\n")}`);
    return;
  }
  const seed = wholeNumber("seed", values.seed);
  const history = makeHistory({
    seed,
    fills: wholeNumber("fills", values.fills),
    from: time("from", values.from),
    to: time("to", values.to),
    density: densityOf(values.density),
  });
  const running = await startEmulator({
    seed,
    history,
    switches: switchesOf(values.switch),
    tokens: [values.token],
    port: wholeNumber("port", values.port),
  });
  say(`The emulated service is running, with ${history.count} fills in ${history.markets.length} markets. Press Ctrl-C to stop it.

export FILLBOOK_ACCOUNT_URL=${running.accountUrl}
export FILLBOOK_ORDER_URL=${running.orderUrl}
export FILLBOOK_MARKET_DATA_URL=${running.marketDataUrl}
export FILLBOOK_TOKEN=${values.token}`);
  process.once("SIGINT", () => {
    running.close().catch(failed);
  });
}

function failed(error: unknown): void {
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\nFor help, run npm run emulator -- --help\n`,
  );
  process.exitCode = isWrongUsage(error) ? 2 : 1;
}

function isWrongUsage(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return error instanceof WrongUsage || code.startsWith("ERR_PARSE_ARGS");
}

main().catch(failed);
