import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { type ZipSource, zipStream } from "../../lambda/formats/zip.ts";
import { temporaryFolder } from "../leftovers.ts";

const run = promisify(execFile);
const NO_PYTHON = missing("python3", "--version");
const NO_UNZIP = missing("unzip", "-v");
const folder = temporaryFolder();

/** Why a reader is skipped; empty if it is installed. */
function missing(command: string, argument: string): string {
  try {
    execFileSync(command, [argument], { stdio: "ignore" });
    return "";
  } catch {
    return ` (${command} is not installed)`;
  }
}

interface File {
  readonly path: string;
  readonly body: Buffer;
}

/** Gives the body in pieces of `pieceBytes` bytes. */
function sourceOf({ path, body }: File, pieceBytes: number): ZipSource {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < body.length; at += pieceBytes) {
      yield await Promise.resolve(body.subarray(at, at + pieceBytes));
    }
  }
  return { path, open: () => Promise.resolve(pieces()) };
}

async function zipped(files: readonly File[], pieceBytes: number): Promise<Buffer> {
  return await buffer(zipStream(files.map((file) => sourceOf(file, pieceBytes))));
}

const READER = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    entries = [[i.filename, i.file_size, hashlib.sha256(archive.read(i)).hexdigest(), list(i.date_time)] for i in archive.infolist()]
print(json.dumps({"bad": bad, "entries": entries}))
`;

interface Read {
  readonly bad: string | null;
  readonly entries: readonly (readonly [string, number, string, readonly number[]])[];
}

/** As Python's zipfile reads it. `unzip -t` tests the archive first, if it is installed. */
async function read(archive: Uint8Array): Promise<Read> {
  const path = join(folder, "archive.zip");
  await writeFile(path, archive);
  if (NO_UNZIP === "") {
    expect((await run("unzip", ["-tqq", path])).stderr).toBe("");
  }
  const { stdout } = await run("python3", ["-c", READER, path], { maxBuffer: 1e9 });
  return JSON.parse(stdout);
}

function listed({ path, body }: File) {
  return [path, body.length, createHash("sha256").update(body).digest("hex"), [1980, 1, 1, 0, 0, 0]];
}

/** Text, which compresses, or noise, which does not. */
const body = fc
  .tuple(fc.integer({ min: 0, max: 200_000 }), fc.boolean(), fc.nat())
  .map(([length, isText, seed]) => (isText ? Buffer.alloc(length, `${seed},BTC-USD,0.25\r\n`) : noise(length, seed)));

function noise(length: number, seed: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, at) =>
    createHash("sha512").update(`${seed} ${at}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

const files = fc
  .array(body, { minLength: 1, maxLength: 6 })
  .map((bodies) =>
    bodies.map((one, at): File => ({ path: at % 2 === 0 ? `pack/${at}.csv` : `pack/imports/${at}.csv`, body: one })),
  );

describe.skipIf(NO_PYTHON !== "")(`read by Python's zipfile${NO_PYTHON}, and by unzip${NO_UNZIP}`, () => {
  test.prop([files, fc.integer({ min: 1000, max: 300_000 })], { numRuns: 15 })(
    "every file is read back, for any size of pieces",
    async (some, pieceBytes) => {
      expect(await read(await zipped(some, pieceBytes))).toEqual({
        bad: null,
        entries: some.map((one) => listed(one)),
      });
    },
  );
});

test.prop([files, fc.integer({ min: 1, max: 300_000 }), fc.integer({ min: 1, max: 300_000 })], { numRuns: 15 })(
  "the same files give the same bytes, for any size of pieces",
  async (some, left, right) => {
    expect((await zipped(some, left)).equals(await zipped(some, right))).toBe(true);
  },
);

test("a file is not read before all earlier files were sent", async () => {
  const opened: string[] = [];
  const sources = ["a", "b"].map((path) => {
    const source = sourceOf({ path, body: Buffer.alloc(100_000) }, 1000);
    const open = () => {
      opened.push(path);
      return source.open();
    };
    return { ...source, open };
  });
  const archive = zipStream(sources);
  expect(opened).toEqual([]);
  await archive.next();
  expect(opened).toEqual(["a"]);
  await archive.return(undefined);
  expect(opened).toEqual(["a"]);
});
