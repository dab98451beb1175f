import { startCli } from "../../../cli/child.ts";

/** `fillbook serve` in a process of its own. */
export interface Served {
  /** The address that signs in once. */
  readonly url: string;
  /** Ends it as Ctrl-C does. */
  readonly end: () => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Resolves when the page is available. Its jobs read twice without the minute between. */
export async function startServe(environment: Readonly<Record<string, string>>): Promise<Served> {
  const { child, ended } = startCli(["serve", "--json"], { FILLBOOK_HURRY: "1", ...environment });
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
  const end = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { url, end };
}
