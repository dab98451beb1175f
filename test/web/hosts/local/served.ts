import { startCli } from "../../../cli/child.ts";

/**
 * `fillbook serve` in a process of its own. Resolves when the page is available, with the address that signs in.
 */
export async function startServe(environment: Readonly<Record<string, string>>) {
  const { child, ended } = startCli(["serve", "--json"], environment);
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout?.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes("\n")) {
        resolve(JSON.parse(said).url);
      }
    });
    ended.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
  /** Ends it as Ctrl-C does. */
  const end = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { url, end };
}
