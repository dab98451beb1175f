import process from "node:process";
import { readOptions, refuse, wholeNumber } from "../programs/options.ts";
import { SAMPLE_TOKEN } from "./core.ts";
import { makeHistory } from "./history.ts";
import { startEmulator } from "./server.ts";
import { DEFAULT_SWITCHES, type Switches } from "./switches.ts";

const HELP = `Emulates the trading service on this machine.

npm run emulator -- [options]

  --seed N             seed of the account and of every random draw (default 1)
  --fills N            number of fills in the account (default 20000)
  --from T --to T      period of the fills, ISO 8601 (default 2025-01-01 to 2026-01-01)
  --port N             first of two successive ports (default: any free ports)
  --token TOKEN        the accepted bearer token (default: a sample token)
  --switch NAME=VALUE  sets a behaviour that the interface leaves open; VALUE is JSON or a word; repeatable
  --help               prints this text and the switches with their defaults

Example: npm run emulator -- --fills 5000 --switch order=ascending --switch emptyPages=0.2

Switches (test/emulator/switches.ts explains each):
${Object.entries(DEFAULT_SWITCHES)
  .map(([name, value]) => `  ${name}=${JSON.stringify(value)}`)
  .join("\n")}
`;

const values = readOptions(HELP, {
  seed: { type: "string", default: "1" },
  fills: { type: "string", default: "20000" },
  from: { type: "string", default: "2025-01-01" },
  to: { type: "string", default: "2026-01-01" },
  port: { type: "string", default: "0" },
  token: { type: "string", default: SAMPLE_TOKEN },
  switch: { type: "string", multiple: true, default: [] },
});

function time(option: "from" | "to"): number {
  const ms = Date.parse(values[option]);
  return Number.isNaN(ms) ? refuse(`--${option} ${values[option]}: not a time such as 2025-01-01`) : ms;
}

function switchOf(setting: string): readonly [string, unknown] {
  const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(setting) ?? [];
  if (!Object.hasOwn(DEFAULT_SWITCHES, name)) {
    return refuse(`--switch ${setting}: not NAME=VALUE with the name of a switch`);
  }
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}

const seed = wholeNumber("--seed", values.seed);
const history = makeHistory({
  seed,
  fills: wholeNumber("--fills", values.fills),
  from: time("from"),
  to: time("to"),
});
const switches: Partial<Switches> = Object.fromEntries(values.switch.map(switchOf));
const port = wholeNumber("--port", values.port);
const running = await startEmulator({ seed, history, switches, tokens: [values.token], port });
process.stdout.write(`The emulated service is running, with ${history.count} fills in ${history.markets.length} markets. Press Ctrl-C to stop it.

export FILLBOOK_ACCOUNT_URL=${running.accountUrl}
export FILLBOOK_MARKET_DATA_URL=${running.marketDataUrl}
export FILLBOOK_TOKEN=${values.token}
`);
process.once("SIGINT", () => void running.close());
