import { FillbookError } from "../../core/errors.ts";
import { overlaps } from "../../core/ranges.ts";
import type { TimeRange } from "../../core/time.ts";
import { namedKeys } from "../keys.ts";
import type { DataFile, RestatementFile, WindowRecord } from "../manifest-entries.ts";
import { edited } from "./change.ts";
import { isRoot } from "./check.ts";
import { NO_ENTRIES } from "./entries.ts";
import { AT_ONCE, type Decide, leavesOf, nearestWindows, type Tree, type Visited, visit } from "./find.ts";
import { changedMonths } from "./months.ts";
import type { Child, Entries, Node, Sum } from "./node.ts";
import { type IndexPorts, Nodes, type Sealing } from "./nodes.ts";
import { branchOf, leafOf, sumOf } from "./shape.ts";
import { ALL, type Unit, unitBelow } from "./units.ts";

/** Parts and restatements are taken out by their key, windows by all that they say. */
export interface Change {
  readonly removed?: Partial<Entries>;
  readonly added?: Partial<Entries>;
}

/**
 * The calendar of what an archive names (node.ts), as a value: a change gives another one, which shares all nodes that it leaves as they are, and the nodes
 * that were read. Nothing is written before `seal`.
 */
export class ManifestIndex {
  readonly #nodes: Nodes;
  readonly #tree: Tree;

  private constructor(nodes: Nodes, root: Node) {
    this.#nodes = nodes;
    this.#tree = { root, load: (at, unit, sum) => nodes.load(at, unit, sum) };
  }

  static empty(ports: IndexPorts): ManifestIndex {
    return new ManifestIndex(new Nodes(ports), leafOf(NO_ENTRIES));
  }

  /** Of the root that a manifest holds; `untrusted` where it is none. Stored nodes are read, and checked, when they are needed. */
  static of(ports: IndexPorts, root: Node): ManifestIndex {
    return ManifestIndex.empty(ports).with(root);
  }

  /** Of another manifest of the same archive; what is read is kept for both. */
  with(root: Node): ManifestIndex {
    if (!isRoot(root)) {
      throw new FillbookError(
        "untrusted",
        `the manifest of ${this.#nodes.where} has no calendar that this version can read`,
        {
          hint: "use the version of fillbook that wrote it",
        },
      );
    }
    return new ManifestIndex(this.#nodes, root);
  }

  /** For a manifest only after `seal`: before, it has nodes in it that are to be stored. */
  get root(): Node {
    return this.#tree.root;
  }

  get sum(): Sum {
    return sumOf(this.#tree.root);
  }

  /** Those whose cell overlaps the range, in the order of time. */
  async parts(range: TimeRange): Promise<readonly DataFile[]> {
    const found: DataFile[] = [];
    const mayHold = ({ parts, partsTo }: Sum, { from }: TimeRange): boolean =>
      parts > 0 && from < range.to && range.from < partsTo;
    for await (const { parts } of leavesOf(this.#tree, mayHold)) {
      found.push(...parts.filter((part) => overlaps(part, range)));
    }
    return found;
  }

  /** Those that overlap the range, by `from`, then `to`. */
  async windows(range: TimeRange): Promise<readonly WindowRecord[]> {
    const found: WindowRecord[] = [];
    const mayHold = ({ windows, windowsTo }: Sum, { from }: TimeRange): boolean =>
      windows > 0 && from < range.to && range.from < windowsTo;
    for await (const { windows } of leavesOf(this.#tree, mayHold)) {
      found.push(...windows.filter((window) => overlaps(window, range)));
    }
    return found;
  }

  /** Those with a trade time before `range.to` and one at or after `range.from`, by the first. */
  async restatements(range: TimeRange): Promise<readonly RestatementFile[]> {
    const found: RestatementFile[] = [];
    const mayHold = ({ restatedTo }: Sum, { from }: TimeRange): boolean =>
      restatedTo !== null && from < range.to && range.from <= restatedTo;
    for await (const { restatements } of leavesOf(this.#tree, mayHold)) {
      found.push(...restatements.filter((file) => file.firstTrade < range.to && range.from <= file.lastTrade));
    }
    return found;
  }

  /** The `count` windows whose distance to the time is least, by it and then by `from`; it is 0 for one that holds the time or ends with it. */
  async nearestWindows(time: number, count: number): Promise<readonly WindowRecord[]> {
    return await nearestWindows(this.#tree, time, count);
  }

  /** Everything, a leaf at a time, in the order of time. A unit whose sum is not wanted is not loaded. */
  leaves(isWanted: (sum: Sum) => boolean = () => true): AsyncGenerator<Entries> {
    return leavesOf(this.#tree, isWanted);
  }

  /** For sums over a time: each unit is passed over, taken by its sum, or opened, in the order of time. Only what is opened is loaded. */
  visit(decide: Decide): AsyncGenerator<Visited> {
    return visit(this.#tree, decide);
  }

  /** The months, as `2025-03` and in order, whose parts are not those of `before`, an earlier calendar of the account. */
  async changedMonths(before: ManifestIndex): Promise<readonly string[]> {
    return await changedMonths(this.#tree, before.#tree);
  }

  /**
   * What is added replaces what has the same identity, which is that by which it would be removed. Throws where what is to be removed is not there. Itself
   * where nothing is.
   */
  async change({ removed = {}, added = {} }: Change): Promise<ManifestIndex> {
    if ([removed, added].every((one) => Object.values(one).every(({ length }) => length === 0))) {
      return this;
    }
    const { root, load } = this.#tree;
    const edits = { removed: { ...NO_ENTRIES, ...removed }, added: { ...NO_ENTRIES, ...added } };
    return new ManifestIndex(this.#nodes, await edited(load, root, ALL, edits));
  }

  /** Reads every leaf that has windows. */
  async withWindows(keep: (window: WindowRecord) => boolean): Promise<ManifestIndex> {
    const windows: WindowRecord[] = [];
    for await (const leaf of this.leaves((sum) => sum.windows > 0)) {
      windows.push(...leaf.windows.filter((window) => !keep(window)));
    }
    return await this.change({ removed: { windows } });
  }

  /**
   * Writes what is to be an object of its own and is none yet; the root is for a manifest then. The last child of each branch, from the root down to the newest
   * leaf, stays in it. What an earlier run has stored keeps that run's epoch: an archive that was made in one run and one that was made in several hold
   * the same entries in the same units, under names, and so hashes of branches, that say who wrote them. As with evidence and restatements, that is all
   * in which they may differ.
   */
  async seal(by: Sealing): Promise<ManifestIndex> {
    return new ManifestIndex(this.#nodes, await this.#onTheWayToTheNewest(this.#tree.root, ALL, by));
  }

  /**
   * Every key of the account that the calendar names: of its nodes, parts, evidence and restatements. Nodes whose key is in `seen` are passed over with
   * all below them, and others are added to it: so several calendars cost what they do not share.
   */
  async *keys(seen: Set<string> = new Set()): AsyncGenerator<string> {
    yield* this.#keysOf(this.#tree.root, ALL, seen);
  }

  async *#keysOf(node: Node, unit: Unit, seen: Set<string>): AsyncGenerator<string> {
    if (node.kind === "leaf") {
      yield* namedKeys(this.#nodes.account, node);
      return;
    }
    const fresh = node.children
      .map(({ from, sum, at }) => ({ at, sum, below: unitBelow(unit, from) }))
      .map((child) => ({ ...child, key: child.at.kind === "stored" ? this.#nodes.keyOf(child.below, child.at) : null }))
      .filter(({ key }) => key === null || !seen.has(key));
    for (let start = 0; start < fresh.length; start += AT_ONCE) {
      const some = fresh.slice(start, start + AT_ONCE).map(async ({ at, sum, below, key }) => ({
        inner: await this.#nodes.load(at, below, sum),
        below,
        key,
      }));
      for (const { inner, below, key } of await Promise.all(some)) {
        if (key !== null) {
          seen.add(key);
          yield key;
        }
        yield* this.#keysOf(inner, below, seen);
      }
    }
  }

  async #onTheWayToTheNewest(node: Node, unit: Unit, by: Sealing): Promise<Node> {
    if (node.kind === "leaf") {
      return node;
    }
    const older = await this.#storedChildren(node.children.slice(0, -1), unit, by);
    const newest = await Promise.all(
      node.children.slice(-1).map(async (child) => {
        const below = unitBelow(unit, child.from);
        const at = await this.#nodes.load(child.at, below, child.sum);
        return { ...child, at: await this.#onTheWayToTheNewest(at, below, by) };
      }),
    );
    return branchOf([...older, ...newest]);
  }

  async #storedChildren(children: readonly Child[], above: Unit, by: Sealing): Promise<Child[]> {
    const stored: Child[] = [];
    for (const child of children) {
      stored.push({ ...child, at: await this.#stored(child.at, unitBelow(above, child.from), by) });
    }
    return stored;
  }

  async #stored(at: Child["at"], unit: Unit, by: Sealing): Promise<Child["at"]> {
    if (at.kind === "stored") {
      return at;
    }
    const node = at.kind === "leaf" ? at : branchOf(await this.#storedChildren(at.children, unit, by));
    return await this.#nodes.save(node, unit, by);
  }
}
