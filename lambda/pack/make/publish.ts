import { hash } from "node:crypto";
import type { DeclaredLine } from "../../accounting/declared.ts";
import { tryReplace } from "../../archive/objects.ts";
import { FillbookError } from "../../core/errors.ts";
import { subtract } from "../../core/ranges.ts";
import { isoTime } from "../../core/time.ts";
import { objectionsOf, pointText, type Verdict } from "../../core/verdict.ts";
import { canonicalJson } from "../../formats/json.ts";
import type { PackFile } from "../../job/context.ts";
import type { Store } from "../../storage/store.ts";
import { claimOf } from "../catalogue/completeness.ts";
import { verdictOf } from "../catalogue/verdict.ts";
import { form8949Obstacle } from "../tables/form-8949.ts";
import { contentsOf } from "./contents.ts";
import { INCOMPLETE_MARK } from "./maker.ts";
import { methodNoteOf } from "./method-note.ts";
import type { PackRequest } from "./request.ts";
import { type Selected, selectContents } from "./selection.ts";
import { MADE_BY } from "./version.ts";
import { type Writing, writeFiles } from "./writing.ts";

/**
 * Counts up with every change of what a pack's bytes are, so that a newer fillbook writes a new version beside the old
 * one. A new file or column makes one by itself.
 */
export const PACK_FORMAT = "fillbook-pack/27";

const LATEST_TRIES = 5;

export interface Pack {
  /** Key prefix in the pack store, without a slash at its end. */
  readonly dir: string;
  readonly version: string;
  /** SHA256SUMS is the last. */
  readonly files: readonly PackFile[];
  /** The key of its ZIP. Null: it is too large for one. */
  readonly zip: string | null;
  readonly complete: boolean;
  readonly verdict: Verdict;
  /** By account, sorted. */
  readonly markets: ReadonlyMap<string, readonly string[]>;
  /** What whoever asked for it should know. */
  readonly notes: readonly string[];
  /** What was understood of opening-positions.csv. */
  readonly declared: readonly DeclaredLine[];
}

/**
 * Writes the pack of a period from the archive alone. Its version names what decides its bytes, so a repeated
 * run writes the same objects again; memory does not grow with the period. Throws `incomplete`, and writes
 * nothing, when the period is not covered and `allowIncomplete` is not set; `usage` when a file of the user
 * contradicts the fills, or a rate is missing; `untrusted` when the archive contradicts itself, or an object
 * of this version is there with other bytes.
 */
export async function writePack(request: PackRequest): Promise<Pack> {
  const { packStore, name, accounts, period, allowIncomplete } = request;
  for (const { account, manifest } of accounts) {
    const read = manifest.coverage.filter(({ readings }) => readings === 2);
    const [gap] = subtract(period, read);
    if (gap !== undefined && !allowIncomplete) {
      const whose = accounts.length === 1 ? "" : ` for ${account}`;
      throw new FillbookError(
        "incomplete",
        `${period.name} is not covered${whose}: these times were not read twice: ${isoTime(gap.from)} to ${isoTime(gap.to)}`,
        { hint: "sync that time first, or use --allow-incomplete to make a pack that says INCOMPLETE" },
      );
    }
  }
  const selected: Selected[] = [];
  for (const source of accounts) {
    selected.push(await selectContents(source, request));
  }
  const claim = { ...claimOf(request, selected), readTwiceAt: await readTwice(request) };
  const made = { claim, selected, contents: contentsOf(request, selected) };
  const version = versionOf(made, request);
  const mark = allowIncomplete ? INCOMPLETE_MARK : "";
  const dir = `${name}/packs/${period.name}/${version}${allowIncomplete ? "-INCOMPLETE" : ""}`;
  const { context, closing, declared, files, hasZip } = await writeFiles(request, { ...made, dir, mark });
  const { holdings } = closing.sums;
  const verdict = verdictOf(context, closing);
  const pack = {
    dir,
    version,
    files,
    zip: hasZip ? `${dir}.zip` : null,
    complete: claim.complete,
    markets: new Map(
      accounts.map(({ account }) => [
        account,
        holdings.filter((one) => one.account === account).map(({ market }) => market),
      ]),
    ),
    declared,
    verdict,
    notes: [
      ...(hasZip ? [] : ["the pack has no ZIP, because its files have more than 4 GB together"]),
      ...objectionsOf(verdict).map(pointText),
      ...closing.proof.noted,
      ...[methodNoteOf(closing.sums, context), form8949Obstacle(request)].filter((note) => note !== null),
    ],
  };
  if (pack.complete) {
    const sums = files.at(-1) as PackFile;
    await nameLatest(packStore, `${name}/packs/${period.name}/latest.json`, { version, sums });
  }
  return pack;
}

/** The last of its accounts. */
async function readTwice({ accounts, period, allowIncomplete }: PackRequest): Promise<number | null> {
  const times = allowIncomplete ? [null] : await Promise.all(accounts.map((one) => one.readTwiceAt(period)));
  return times.reduce((last, at) => (last === null || at === null ? null : Math.max(last, at)));
}

/** 16 hexadecimal digits over all that decides the bytes. */
function versionOf({ contents, selected, claim }: Omit<Writing, "dir" | "mark">, request: PackRequest): string {
  const decisive = {
    ...claim,
    format: PACK_FORMAT,
    madeBy: MADE_BY,
    tables: contents.makers.map(({ path, columns = [] }) => [path, ...columns.map((column) => column.name)]),
    basis: request.basis,
    currency: request.currency,
    isMethodChosen: request.isMethodChosen,
    inputs: request.files.map(({ name, sha256 }) => [name, sha256]),
    accounts: selected.map(({ account, since, hash: own, contractTypes }) => ({
      account,
      since: Number.isFinite(since) ? since : null,
      selected: own,
      contractTypes: Object.fromEntries([...contractTypes].filter(([, type]) => type !== null)),
    })),
  };
  return hash("sha256", canonicalJson(decisive), "hex").slice(0, 16);
}

interface Named {
  readonly version: string;
  readonly sums: PackFile;
}

/** latest.json names the newest complete version; written when all of it is there. */
export async function nameLatest(store: Store, key: string, { version, sums }: Named): Promise<void> {
  const named = { format: PACK_FORMAT, version, sums: { path: `${version}/${sums.path}`, sha256: sums.sha256 } };
  const body = Buffer.from(`${JSON.stringify(named, null, 2)}\n`);
  for (let attempt = 1; attempt <= LATEST_TRIES; attempt += 1) {
    const current = await store.get(key);
    if (current !== null && body.equals(current.body)) {
      return;
    }
    if ((await tryReplace(store, key, body, current?.tag ?? null)) !== null) {
      return;
    }
  }
  throw new FillbookError("incomplete", `cannot write ${store.location}/${key}: other runs keep changing it`, {
    hint: "the pack was written; run again to make it the latest",
  });
}
