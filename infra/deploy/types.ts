import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";

/** Rejects if the program's types are wrong; the compiler has then printed why. */
export async function checkTypes(root: string): Promise<void> {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const [code] = await once(spawn(process.execPath, [compiler, "-p", root], { stdio: "inherit" }), "close");
  if (code !== 0) {
    throw new Error("the program has type errors, listed above: nothing is synthesised");
  }
}
