import { dirname, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { KilledError } from "../support/faulty-store.ts";
import { Disk } from "./disk.ts";
import { ofEachKind, sortOf, TEST_TIMEOUT_MS, tryEach } from "./enumerate.ts";
import { type FileCall, realFiles, watchFileCalls } from "./file-calls.ts";
import { type FolderPlace, folderPlace } from "./place.ts";
import { firstRun, type Subject } from "./subject.ts";
import type { Disturbance } from "./trial.ts";

// The folder store's own steps: a run ends before every call that changes something on the disk. The lock
// needs no call, because the kernel frees it.

/**
 * - `torn`: the process is gone; what it wrote stays, and half of the content of the interrupted write
 * - `power lost`: everything that was not synced is lost, or everything but the newest name
 */
const WAYS = ["torn", "power lost", "power lost, newest name kept"] as const;
type Way = (typeof WAYS)[number];

let place: FolderPlace;
beforeAll(async () => {
  place = await folderPlace();
});
afterAll(() => place.close());

/** Ends a run before file call number `at`, from 0. */
function endAt(at: number, way: Way): Disturbance {
  return {
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

test(
  "a first run that ends before any kind of call of the file system loses nothing",
  async () => {
    const subject = firstRun();
    const kinds = await kindsOfCalls(subject);
    const trials = WAYS.flatMap((way) => {
      const isAble = (kind: string) => way !== "torn" || kind.startsWith("writeFile");
      return ofEachKind(kinds, 2)
        .filter((at) => isAble(kinds[at] ?? ""))
        .map((at) => [endAt(at, way)]);
    });
    await tryEach("calls of the file system", place, subject, trials);
  },
  TEST_TIMEOUT_MS,
);
