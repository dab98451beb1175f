import process from "node:process";
import { readOptions, refuse, wholeNumber } from "../programs/options.ts";
import { SAMPLE_TOKEN } from "./core.ts";
import { makeHistory } from "./history.ts";
import { startEmulator } from "./server.ts";
import { DEFAULT_SWITCHES, type Switches } from "./switches.ts";

const HELP = `Emulates the trading service on this machine.

npm run emulator -- [options]

  --seed N             seed of the account and of every random draw (default 1)
  --fills N            number of fills of 2025 in the account (default 20000)
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
  switch: { type: "string", multiple: true, default: [] },
});

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
  from: Date.UTC(2025, 0, 1),
  to: Date.UTC(2026, 0, 1),
});
const switches: Partial<Switches> = Object.fromEntries(values.switch.map(switchOf));
const running = await startEmulator({ seed, history, switches });
process.stdout.write(`The emulated service is running, with ${history.count} fills in ${history.markets.length} markets. Press Ctrl-C to stop it.

export FILLBOOK_ACCOUNT_URL=${running.accountUrl}
export FILLBOOK_MARKET_DATA_URL=${running.marketDataUrl}
export FILLBOOK_TOKEN=${SAMPLE_TOKEN}
`);
process.once("SIGINT", () => void running.close());
