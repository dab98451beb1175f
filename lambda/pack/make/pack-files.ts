import type { Store } from "../../storage/store.ts";
import type { Described } from "../catalogue/datapackage.ts";
import type { Closing, FileFacts, FileMaker } from "./maker.ts";
import { PackFileWriter, writeText } from "./pack-file-writer.ts";

/** Where the files of one pack go. */
export interface Place {
  /** Key prefix in the pack store, without a final slash. */
  readonly dir: string;
  /** The prefix of file names in an incomplete pack. */
  readonly mark: string;
}

/** The files of one pack while they are made. Unfinished files can be discarded. */
export class PackFiles {
  readonly #store: Store;
  readonly #place: Place;
  readonly #opened: PackFileWriter[] = [];

  constructor(store: Store, place: Place) {
    this.#store = store;
    this.#place = place;
  }

  async open(path: string): Promise<PackFileWriter> {
    const file = await PackFileWriter.open(this.#store, this.#place.dir, this.#marked(path));
    this.#opened.push(file);
    return file;
  }

  /** A whole file. */
  async write(facts: FileFacts, content: Uint8Array | string, rows?: number): Promise<Described> {
    const file = await writeText(this.#store, this.#place.dir, this.#marked(facts.path), content);
    return { file: rows === undefined ? file : { ...file, rows }, facts };
  }

  async abort(): Promise<void> {
    await Promise.allSettled(this.#opened.map((file) => file.abort()));
  }

  /** The mark stands before the file's name, in whatever folder it is. */
  #marked(path: string): string {
    const name = path.lastIndexOf("/") + 1;
    return path.slice(0, name) + this.#place.mark + path.slice(name);
  }
}

/** A maker and the file that it makes. */
export interface MadeFile {
  readonly maker: FileMaker;
  readonly file: PackFileWriter;
}

export async function openMakers(files: PackFiles, makers: readonly FileMaker[]): Promise<MadeFile[]> {
  const made: MadeFile[] = [];
  for (const maker of makers) {
    const file = await files.open(maker.path);
    await file.write(maker.begin());
    made.push({ maker, file });
  }
  return made;
}

export async function finishMaker({ maker, file }: MadeFile, closing: Closing): Promise<Described> {
  await file.write(maker.end(closing));
  return { file: await file.finish(maker.rows), facts: maker };
}
