import { mkdtemp, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { groupNameOf } from "../../core/account-name.ts";
import { FillbookError, usageError } from "../../core/errors.ts";
import { parsePeriod } from "../../core/period.ts";
import { compareText } from "../../core/text.ts";
import { isFolder } from "../../job/store-place.ts";
import { openPack, readPackText } from "../../web/data/pack-files.ts";
import { markOf, packKey, packPeriods, versionsOf } from "../../web/data/versions.ts";
import { openFile } from "../../web/hosts/local/browser.ts";
import type { AccountStores, PackEntry } from "../../web/packs.ts";
import type { Command } from "./command.ts";
import { packOwner } from "./packs.ts";

const REPORT = "report.html";

export const open: Command = {
  words: "PERIOD",
  about: [
    "Opens report.html of the newest pack of the period in the browser, and prints its path. Without a terminal or a browser, it only prints the path.",
    "A pack on S3 is copied into a temporary folder that only you can open. Delete the folder when you are done.",
    "--account also accepts the name of accounts that were exported together, as listed by fillbook packs: hedge_main. Or give --account for each.",
    "Reads only the store. It needs no address and no token, and changes nothing.",
  ],
  accounts: "owners",
  options: { "no-open": "only print the path" },
  example: "fillbook open us-2025",
  plan(given) {
    const [period = ""] = given.words;
    const typed = given.texts("account");
    const named = typed.length === 0 ? null : packOwner(groupNameOf([...new Set(typed)].sort()));
    return async (live) => {
      const { json, quiet, account } = live.settings;
      const store = await live.store();
      const path = await reportOf({ account: named ?? account, store, packs: store }, period);
      return {
        json: { path, url: pathToFileURL(path).href },
        lines: [path],
        async goesOn({ say, isSeen }) {
          const isQuiet = json || quiet || given.has("no-open");
          if (!(isQuiet || (isSeen && (await openFile(path))))) {
            say(`No browser was opened; open this file: ${path}`);
          }
        },
      };
    };
  },
};

/** The report of the period's newest pack in the store: the file itself, or a private copy of one on S3. */
async function reportOf(stores: AccountStores, typed: string): Promise<string> {
  const pack = await newestPack(stores, typed);
  const { location } = stores.packs;
  if (isFolder(location)) {
    const path = resolve(location, packKey(stores.account, pack, `${markOf(pack.version)}${REPORT}`));
    if ((await stat(path).catch(() => null))?.isFile() !== true) {
      const hint = "run fillbook verify, or make the pack again with: fillbook export";
      throw new FillbookError("untrusted", `${path} is missing`, { hint });
    }
    return path;
  }
  const text = await readPackText(stores, await openPack(stores, pack), REPORT);
  const folder = await mkdtemp(join(tmpdir(), "fillbook-")); // mode 0700
  const path = join(folder, REPORT);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

async function newestPack(stores: AccountStores, typed: string): Promise<PackEntry> {
  const periods = (await packPeriods(stores)).sort(compareText);
  const name = periods.includes(typed) ? typed : parsePeriod(typed).name;
  const [pack] = periods.includes(name) ? await versionsOf(stores, name) : [];
  if (pack !== undefined) {
    return pack;
  }
  const making = `fillbook export --period ${name}`;
  const others = periods.filter((period) => period !== name).slice(0, 10);
  throw usageError(
    `there is no pack of ${name} for account ${stores.account} in ${stores.packs.location}`,
    others.length === 0
      ? `make it with: ${making}`
      : `existing packs: ${others.join(", ")}. To make this one: ${making}`,
  );
}
