import { FillbookError } from "../../core/errors.ts";
import type { Args, CommandName } from "./command.ts";

/** For a command that takes no words of its own. */
export function noPositionals(given: Args, command: CommandName): void {
  const [extra] = given.positionals;
  if (extra !== undefined) {
    throw new FillbookError("usage", `${command} takes no argument, and "${extra}" is one`, {
      hint: `see how it is used with: fillbook ${command} --help`,
    });
  }
}

/** A market's name as the interface writes it, `<BASE>-<QUOTE>`; whether the service knows it is the service's to say. */
export function marketName(text: string): string {
  if (/^[^\s,/?#&-]+(?:-[^\s,/?#&-]+)+$/.test(text)) {
    return text;
  }
  throw new FillbookError("usage", `"${text}" is not the name of a market`, {
    hint: "a name is BASE-QUOTE, as BTC-USD; list them with: fillbook markets",
  });
}
