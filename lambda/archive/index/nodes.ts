import type { Clock } from "../../core/clock.ts";
import { FillbookError } from "../../core/errors.ts";
import type { Store } from "../../storage/store.ts";
import { nodeKey, sha256Of } from "../keys.ts";
import { createContent, readContent } from "../objects.ts";
import { isSameSum, isStoredNode } from "./check.ts";
import type { Node, Stored, Sum } from "./node.ts";
import { sumOf } from "./shape.ts";
import { type Unit, unitName } from "./units.ts";

export interface IndexPorts {
  readonly account: string;
  readonly store: Store;
}

/** The run that stores new nodes. */
export interface Sealing {
  readonly clock: Clock;
  /** The epoch of the run, from the head. */
  readonly epoch: number;
}

/** The most nodes in memory, and the most bytes that they were read from. */
const MAX_CACHED = 256;
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
/** Larger than any node in practice: 64 windows of a hundred thousand pages each would be this large. */
const MAX_NODE_BYTES = 32 * 1024 * 1024;

/** Reads and writes the nodes that are objects of their own. Keeps the last used ones in memory. */
export class Nodes {
  readonly #ports: IndexPorts;
  readonly #cache = new Map<string, { readonly node: Node; readonly bytes: number }>();
  #cachedBytes = 0;

  constructor(ports: IndexPorts) {
    this.#ports = ports;
  }

  get account(): string {
    return this.#ports.account;
  }

  /** Names the archive in messages. */
  get where(): string {
    return `${this.#ports.store.location}/${this.#ports.account}`;
  }

  keyOf(unit: Unit, stored: Stored): string {
    return nodeKey(this.#ports.account, unitName(unit), stored);
  }

  /** Rejects with `untrusted` if the object does not match its name or its sum. */
  async load(at: Stored | Node, unit: Unit, sum: Sum): Promise<Node> {
    if (at.kind !== "stored") {
      return at;
    }
    const key = this.keyOf(unit, at);
    const known = this.#cache.get(key);
    const { node, bytes } = known ?? (await this.#read(key, at, unit));
    if (!isSameSum(sumOf(node), sum)) {
      throw this.#untrusted(key, "does not match the sums that the archive has for it");
    }
    this.#keep(key, node, bytes);
    return node;
  }

  /** Writes a node. Its children must be stored already. */
  async save(node: Node, unit: Unit, { clock, epoch }: Sealing): Promise<Stored> {
    const body = new TextEncoder().encode(`${JSON.stringify(node)}\n`);
    const stored: Stored = { kind: "stored", epoch, sha256: sha256Of(body) };
    const key = this.keyOf(unit, stored);
    if (body.byteLength > MAX_NODE_BYTES) {
      throw new FillbookError("fault", `${key} would be too large to be read again: ${body.byteLength} bytes`);
    }
    await createContent({ store: this.#ports.store, clock }, key, body);
    this.#keep(key, node, body.byteLength);
    return stored;
  }

  async #read(key: string, { sha256 }: Stored, unit: Unit): Promise<{ node: Node; bytes: number }> {
    const body = await readContent(this.#ports.store, key, sha256);
    if (body.byteLength > MAX_NODE_BYTES) {
      throw this.#untrusted(key, `is larger than any index node that fillbook writes: ${body.byteLength} bytes`);
    }
    const node = parsed(body);
    if (!isStoredNode(node, unit)) {
      throw this.#untrusted(key, "is not an index node that this version can read");
    }
    return { node, bytes: body.byteLength };
  }

  #keep(key: string, node: Node, bytes: number): void {
    this.#drop(key);
    this.#cache.set(key, { node, bytes });
    this.#cachedBytes += bytes;
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= MAX_CACHED && this.#cachedBytes <= MAX_CACHED_BYTES) {
        break;
      }
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#cachedBytes -= this.#cache.get(key)?.bytes ?? 0;
    this.#cache.delete(key);
  }

  #untrusted(key: string, what: string): FillbookError {
    return new FillbookError("untrusted", `${this.#ports.store.location}/${key} ${what}`, {
      hint: "use the version of fillbook that wrote it, or restore the object",
    });
  }
}

/** Undefined if the bytes are not JSON. */
function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
