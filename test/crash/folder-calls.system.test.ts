import { readdir, utimes } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { KilledError } from "../support/faulty-store.ts";
import { Disk } from "./disk.ts";
import { ALL, ofEachKind, sortOf, TEST_TIMEOUT_MS, tryEach } from "./enumerate.ts";
import { type FileCall, realFiles, watchFileCalls } from "./file-calls.ts";
import { type FolderPlace, folderPlace } from "./place.ts";
import { exportRun, firstRun, nightlyRun, type Subject } from "./subject.ts";
import { type Disturbance, undisturbed } from "./trial.ts";

// The folder store's own steps: a run ends before every call that changes something on the disk. The lock
// needs no call, because the kernel frees it.

/**
 * - `killed`: the process is gone; what it wrote stays
 * - `torn`: the same, and half of the content of the interrupted write stays
 * - `power lost`: everything that was not synced is lost, or everything but the newest name
 */
const WAYS = ["killed", "torn", "power lost", "power lost, newest name kept"] as const;
type Way = (typeof WAYS)[number];

let place: FolderPlace;
beforeAll(async () => {
  place = await folderPlace();
});
afterAll(() => place.close());

/** Ends a run before file call number `at`, from 0. */
function endAt(at: number, way: Way): Disturbance {
  return {
    ends: [],
    arrange(inner) {
      const disk = new Disk();
      const promised = new Map<string, Uint8Array>();
      let last: FileCall | null = null;
      const refuse = () => {
        if (last !== null) {
          throw new KilledError(last.name);
        }
      };
      const restore = watchFileCalls(dirname(place.folder), {
        read: refuse,
        async before(call) {
          refuse();
          if (call.index < at || (way === "torn" && call.data === undefined)) {
            await disk.before(call);
            return;
          }
          last = call;
          if (call.data !== undefined && way === "torn") {
            await realFiles.writeFile(call.path, call.data.subarray(0, call.data.length / 2));
          }
          refuse();
        },
        after: (call) => disk.after(call),
      });
      return {
        store: promising(inner, promised),
        isDead: () => last !== null,
        async said() {
          restore();
          if (last === null || last.index !== at) {
            return null;
          }
          if (way.startsWith("power")) {
            await disk.lose(way === "power lost" ? "lost" : "kept");
          }
          const said = `${way} at call ${at} (${last.name} ${last.path})`;
          await expectKept(promised, said);
          return said;
        },
        settle: () => Promise.resolve(),
      };
    },
  };
}

/** Records every write that the store has confirmed. */
function promising(inner: Store, promised: Map<string, Uint8Array>): Store {
  return {
    ...inner,
    async createNew(key, body) {
      const outcome = await inner.createNew(key, body);
      promised.set(key, body);
      return outcome;
    },
    async replaceIf(key, body, tag) {
      const landed = await inner.replaceIf(key, body, tag);
      if (landed !== null) {
        promised.set(key, body);
      }
      return landed;
    },
  };
}

/** Every confirmed object is there. The head may also be newer. */
async function expectKept(promised: Map<string, Uint8Array>, because: string): Promise<void> {
  const store = openFolderStore(place.folder);
  for (const [key, body] of promised) {
    const found = (await store.get(key))?.body;
    if (key === "main/head.json") {
      expect(seqOf(found), `${because}: ${key}`).toBeGreaterThanOrEqual(seqOf(body));
    } else {
      expect(found !== undefined && Buffer.compare(found, body) === 0, `${because}: ${key} is whole`).toBe(true);
    }
  }
}

function seqOf(head: Uint8Array | undefined): number {
  return head === undefined ? -1 : JSON.parse(Buffer.from(head).toString()).seq;
}

async function temporaries(): Promise<string[]> {
  const names = await readdir(place.folder, { recursive: true });
  return names.filter((name) => name.includes(".tmp-"));
}

/** The kinds of all changing calls of a run, in order. */
async function kindsOfCalls(subject: Subject): Promise<readonly string[]> {
  const kinds: string[] = [];
  await place.reset(subject.base);
  const restore = watchFileCalls(dirname(place.folder), {
    read: () => undefined,
    before: ({ name, path }) => void kinds.push(`${name} ${sortOf(relative(place.folder, path))}`),
    after: () => undefined,
  });
  await subject.begin(place.isBusy)(place.open());
  restore();
  return kinds;
}

const SUBJECTS: readonly [string, () => Subject | Promise<Subject>, ofKind: number][] = [
  ["first run", firstRun, 3],
  ["export", exportRun, 2],
  ...(ALL ? [["nightly run", nightlyRun, 3] as [string, () => Promise<Subject>, number]] : []),
];

test.each(SUBJECTS)(
  "%s: ends before any kind of call of the file system, and nothing is lost",
  async (_, make, ofKind) => {
    const subject = await make();
    const kinds = await kindsOfCalls(subject);
    const trials = WAYS.flatMap((way) => {
      const isAble = (kind: string) => way !== "torn" || kind.startsWith("writeFile");
      return ofEachKind(kinds, ofKind)
        .filter((at) => isAble(kinds[at] ?? ""))
        .map((at) => [endAt(at, way)]);
    });
    await tryEach("calls of the file system", place, subject, trials);
  },
  TEST_TIMEOUT_MS,
);

test("leftovers of killed processes are deleted a week later, in any folder, and not before", async () => {
  const subject = firstRun();
  const expected = await undisturbed(place, subject);
  const run = subject.begin(place.isBusy);
  const leave = async (at: number, store: Store) => {
    const arranged = endAt(at, "killed").arrange(store);
    await run(arranged.store).catch(() => undefined);
    await arranged.said();
  };
  await place.reset(new Map());
  for (let at = 0; at < 120; at += 1) {
    await leave(at, place.open());
  }
  const left = await temporaries();
  const places = left.map((name) =>
    name
      .split("/")
      .slice(0, 2)
      .join("/")
      .replace(/\.tmp-.*/, ".tmp"),
  );
  // These are all places in which so small a run writes: the head's folder, and three others.
  expect([...new Set(places)].sort()).toEqual(["main/.tmp", "main/fills", "main/manifests", "main/pages"]);
  await run(place.open());
  expect(await temporaries()).toEqual(left);
  const old = new Date(Date.now() - 8 * 86_400_000);
  for (const name of left) {
    await utimes(join(place.folder, name), old, old);
  }
  const store = place.open();
  for (const folder of [
    "main",
    "main/manifests",
    "main/pages",
    "main/fills/month=2025-03",
    "main/fills/month=2025-04",
  ]) {
    await store.createNew(`${folder}/another`, Buffer.from("x"));
  }
  expect(await temporaries()).toEqual([]);
  expect(await subject.outcome(place.reader())).toEqual(expected);
});
