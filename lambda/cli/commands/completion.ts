import { FillbookError } from "../../core/errors.ts";
import { nearest } from "../../core/suggest.ts";
import { completionScript, SHELLS } from "../completion-script.ts";
import type { Command } from "./command.ts";

/** `commands`: all commands, including this one. */
export function completionOf(commands: () => Readonly<Record<string, Command>>): Command {
  return {
    summary: "print the script that completes commands and options in a shell",
    usage: SHELLS.join("|"),
    takesWords: true,
    words: SHELLS,
    takesWrongSettings: true,
    about: [
      "Prints a completion script. To load it in every new shell:",
      "  bash  echo 'eval \"$(fillbook completion bash)\"' >> ~/.bashrc",
      "  zsh   echo 'eval \"$(fillbook completion zsh)\"' >> ~/.zshrc, after compinit",
      "  fish  fillbook completion fish > ~/.config/fish/completions/fillbook.fish",
      "It completes commands, options and their values, periods of the last years, and the accounts of a store in a folder.",
    ],
    options: {},
    example: "fillbook completion bash",
    plan({ positionals: [typed, extra] }) {
      const shell = SHELLS.find((one) => one === typed);
      if (shell === undefined || extra !== undefined) {
        const near = nearest((typed ?? "").toLowerCase(), SHELLS);
        throw new FillbookError("usage", "the name of one shell must be given", {
          hint: near === undefined ? `write one of ${SHELLS.join(", ")}` : `did you mean: fillbook completion ${near}`,
        });
      }
      return () => {
        const script = completionScript(shell, commands());
        return Promise.resolve({ json: { shell, script }, lines: script.trimEnd().split("\n"), problem: null });
      };
    },
  };
}
