import { mkdtemp, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { FillbookError } from "../../core/errors.ts";
import { parsePeriod } from "../../core/period.ts";
import { isFolder } from "../../job/store-place.ts";
import { findPack, readPackText } from "../../web/data/catalogue.ts";
import { markOf, packKey, packPeriods, storeOf, versionsByPeriod } from "../../web/data/versions.ts";
import { openFile } from "../../web/hosts/local/browser.ts";
import type { AccountStores, PackEntry } from "../../web/packs.ts";
import { goneLine } from "../pack-list.ts";
import type { Args, Command, CommandContext } from "./command.ts";
import { readFolder } from "./folder.ts";
import { packOwner } from "./pack-owner.ts";

const REPORT = "report.html";

export const open: Command = {
  words: "[PERIOD]",
  about: [
    "Opens report.html of the newest pack of the period in the browser, and prints its path. Without a terminal or a browser, it only prints the path.",
    "A pack on S3 is copied into a temporary folder that only you can open. Delete the folder when you are done.",
    "--account also accepts the name of accounts that were exported together, as listed by fillbook packs: hedge_main.",
    "Reads only the store. It needs no address and no token, and changes nothing.",
  ],
  accounts: "owners",
  options: {
    out: { value: "DIR", help: "read the folder that an export with --out wrote, instead of the store" },
    "no-open": { value: null, help: "only print the path" },
  },
  example: "fillbook open us-2025",
  plan(given) {
    const period = readWord(given);
    const out = readFolder(given, "out", "./us-2025");
    const owner = given.text("account");
    const named = owner === undefined ? null : packOwner(owner);
    if ((period === undefined) === (out === undefined)) {
      throw new FillbookError(
        "usage",
        period === undefined ? "no period is given" : "a period and --out are both given",
        {
          hint: "write for example: fillbook open us-2025, or: fillbook open --out ./us-2025",
        },
      );
    }
    return async (live) => {
      const { json, quiet } = live.settings;
      const account = named ?? live.settings.account;
      const stores = async () => ({ account, store: await live.store(), packStore: null });
      const path = out === undefined ? await reportOf(await stores(), period ?? "", live.say) : await reportIn(out);
      return {
        json: { path, url: pathToFileURL(path).href },
        lines: [path],
        async goesOn({ say, isSeen }) {
          if (json || quiet || given.has("no-open")) {
            return;
          }
          if (!(isSeen && (await openFile(path)))) {
            say(`No browser was opened; open this file: ${path}`);
          }
        },
      };
    };
  },
};

function readWord({ words }: Args): string | undefined {
  const [word, another] = words;
  if (another !== undefined) {
    throw new FillbookError("usage", `only one period can be opened at a time: unexpected "${another}"`, {
      hint: `write: fillbook open ${word}`,
    });
  }
  return word;
}

/** The report in a folder. */
async function reportIn(folder: string): Promise<string> {
  for (const name of [REPORT, `${markOf("-INCOMPLETE")}${REPORT}`]) {
    const path = resolve(folder, name);
    if (await isFile(path)) {
      return path;
    }
  }
  throw new FillbookError("usage", `there is no ${REPORT} in ${folder}`, {
    hint: "name the folder that an export with --out wrote, or list the packs of the store with: fillbook packs",
  });
}

/** The report of the period's newest pack in the store: the file itself, or a private copy of one on S3. */
async function reportOf(stores: AccountStores, typed: string, say: CommandContext["say"]): Promise<string> {
  const pack = await newestPack(stores, typed);
  if (pack.latestGone !== null) {
    say(goneLine(stores.account, pack));
  }
  const { location } = storeOf(stores, pack.store);
  if (isFolder(location)) {
    const path = resolve(location, packKey(stores.account, pack, `${markOf(pack.version)}${REPORT}`));
    if (!(await isFile(path))) {
      throw new FillbookError("untrusted", `${path} is missing`, {
        hint: "run fillbook verify, or make the pack again with: fillbook export",
      });
    }
    return path;
  }
  const details = await findPack(stores, pack.period, pack.version);
  const text = details === null ? null : await readPackText(stores, details, REPORT);
  if (text === null) {
    throw new FillbookError("incomplete", `the pack of ${pack.period} was removed meanwhile`, { hint: "run again" });
  }
  const folder = await mkdtemp(join(tmpdir(), "fillbook-")); // mode 0700
  const path = join(folder, REPORT);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

async function newestPack(stores: AccountStores, typed: string): Promise<PackEntry> {
  const periods = await packPeriods(stores);
  const isThere = periods.some((one) => one.name === typed);
  const name = isThere ? typed : parsePeriod(typed).name;
  const found = periods.filter((one) => one.name === name);
  const [{ versions, latestGone } = { versions: [], latestGone: null }] = await versionsByPeriod(stores, found);
  const pack = versions.find(({ latest }) => latest) ?? versions[0];
  if (pack === undefined) {
    const making = `fillbook export --period ${name}`;
    if (latestGone !== null) {
      const message = `the pack of ${name} for account ${stores.account} is missing: latest.json names version ${latestGone}, which is not in the store`;
      throw new FillbookError("untrusted", message, {
        hint: `restore it from a copy, or make the pack again with: ${making}`,
      });
    }
    const known = await versionsByPeriod(stores, periods);
    const others = known.filter((one) => one.versions.length > 0).map(({ period }) => period);
    throw new FillbookError(
      "usage",
      `there is no pack of ${name} for account ${stores.account} in ${stores.store.location}`,
      {
        hint:
          others.length === 0
            ? `make it with: ${making}`
            : `existing packs: ${others.slice(0, 10).join(", ")}. To make this one: ${making}`,
      },
    );
  }
  return pack;
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
