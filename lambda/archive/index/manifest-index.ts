import { FillbookError } from "../../core/errors.ts";
import type { TimeRange } from "../../core/time.ts";
import { monthName, namedKeys } from "../keys.ts";
import type { DataFile, RestatementFile, WindowRecord } from "../manifest-entries.ts";
import { edited } from "./change.ts";
import { isRoot } from "./check.ts";
import { KINDS, NO_ENTRIES } from "./entries.ts";
import { type Decide, type Load, nearestWindows, type Placed, placedRoot, type Visited, visit } from "./find.ts";
import type { Child, Entries, EntryOf, ListName, Node, Stored, Sum } from "./node.ts";
import { type IndexPorts, Nodes, type Sealing } from "./nodes.ts";
import { branchOf, leafOf, sumOf } from "./shape.ts";
import { ALL, unitBelow } from "./units.ts";

/** Data files and restatements are removed by key, windows by all their fields. */
export interface Change {
  readonly removed?: Partial<Entries>;
  readonly added?: Partial<Entries>;
}

/**
 * The index of what a manifest names (node.ts), as an immutable value. A change returns a new index that
 * shares all unchanged nodes, and all nodes that were read. Nothing is written before `seal`.
 */
export class ManifestIndex {
  readonly #nodes: Nodes;
  /** Use it in a manifest only after `seal`: before, it holds nodes that must be stored. */
  readonly root: Node;
  /** The months (`2025-03`) whose data files were changed since the index was read. */
  readonly changedMonths: ReadonlySet<string>;

  private constructor(nodes: Nodes, root: Node, changedMonths: ReadonlySet<string> = new Set()) {
    this.#nodes = nodes;
    this.root = root;
    this.changedMonths = changedMonths;
  }

  static empty(ports: IndexPorts): ManifestIndex {
    return new ManifestIndex(new Nodes(ports), leafOf(NO_ENTRIES));
  }

  /**
   * The index of a manifest's root. Throws `untrusted` if the root is not valid. Stored nodes are read and
   * checked when they are needed.
   */
  static of(ports: IndexPorts, root: Node): ManifestIndex {
    return ManifestIndex.empty(ports).with(root);
  }

  /** The index of another manifest of the same archive. Both share the nodes that are read. */
  with(root: Node): ManifestIndex {
    if (!isRoot(root)) {
      throw new FillbookError(
        "untrusted",
        `the manifest of ${this.#nodes.where} has no index that this version can read`,
        {
          hint: "use the version of fillbook that wrote it",
        },
      );
    }
    return new ManifestIndex(this.#nodes, root);
  }

  get sum(): Sum {
    return sumOf(this.root);
  }

  /** The data files whose partition overlaps the range, in time order. */
  async dataFiles(range: TimeRange): Promise<readonly DataFile[]> {
    return await this.#overlapping("dataFiles", range);
  }

  /** The windows that overlap the range, by `from`, then `to`. */
  async windows(range: TimeRange): Promise<readonly WindowRecord[]> {
    return await this.#overlapping("windows", range);
  }

  /**
   * The restatement files with a trade time before `range.to` and one at or after `range.from`, by their
   * first.
   */
  async restatements(range: TimeRange): Promise<readonly RestatementFile[]> {
    return await this.#overlapping("restatements", range);
  }

  async #overlapping<Name extends ListName>(name: Name, { from, to }: TimeRange): Promise<readonly EntryOf[Name][]> {
    const { timeOf, endOf, lastEndOf } = KINDS[name];
    const found: EntryOf[Name][] = [];
    for await (const entries of this.leaves((sum, unit) => sum[name] > 0 && unit.from < to && from < lastEndOf(sum))) {
      found.push(...entries[name].filter((entry) => timeOf(entry) < to && from < endOf(entry)));
    }
    return found;
  }

  /**
   * The `count` windows nearest to the time, by distance, then by `from`. The distance is 0 if the window
   * holds the time or ends with it.
   */
  async nearestWindows(time: number, count: number): Promise<readonly WindowRecord[]> {
    return await nearestWindows(this.#load, this.root, time, count);
  }

  /** All entries, one leaf at a time, in time order. A unit whose sum is not wanted is not loaded. */
  async *leaves(isWanted: (sum: Sum, unit: TimeRange) => boolean = () => true): AsyncGenerator<Entries> {
    for await (const visited of this.visit((sum, unit) => (isWanted(sum, unit) ? "open" : "skip"))) {
      if ("entries" in visited) {
        yield visited.entries;
      }
    }
  }

  /**
   * For sums over a range: each unit is skipped, taken by its sum, or opened, in time order. Only opened
   * units are loaded.
   */
  visit(decide: Decide): AsyncGenerator<Visited> {
    return visit(this.#load, [placedRoot(this.root)], decide);
  }

  /**
   * Removes and adds entries. An added entry replaces the one of the same identity. Throws if an entry to
   * remove is not there. Returns this index if there is no change.
   */
  async change({ removed = {}, added = {} }: Change): Promise<ManifestIndex> {
    if ([removed, added].every((one) => Object.values(one).every(({ length }) => length === 0))) {
      return this;
    }
    const edits = { removed: { ...NO_ENTRIES, ...removed }, added: { ...NO_ENTRIES, ...added } };
    const root = await edited(this.#load, this.root, ALL, edits);
    const months = [...edits.removed.dataFiles, ...edits.added.dataFiles].map(({ from }) => monthName(from));
    return new ManifestIndex(this.#nodes, root, new Set([...this.changedMonths, ...months]));
  }

  /**
   * Stores every node that must be an object of its own and is not yet. The result's root can stand in a
   * manifest. The last child of each branch, from the root down to the newest leaf, stays inline. A node that
   * an earlier run has stored keeps that run's epoch in its name. So an archive made in one run and one made
   * in several runs hold the same entries in the same units, but names, and therefore hashes of branches, may
   * differ. Raw responses and restatements differ in the same way, and nothing else does.
   */
  async seal(by: Sealing): Promise<ManifestIndex> {
    const root = await this.#sealed(placedRoot(this.root), by, true);
    return new ManifestIndex(this.#nodes, root as Node, this.changedMonths);
  }

  /** Stores all nodes below, then the node itself, unless it is on the way to the newest leaf. */
  async #sealed({ at, unit, sum }: Placed, by: Sealing, isNewest: boolean): Promise<Node | Stored> {
    if (at.kind === "stored" && !isNewest) {
      return at;
    }
    let node = await this.#load(at, unit, sum);
    if (node.kind === "branch") {
      const children: Child[] = [];
      for (const [place, child] of node.children.entries()) {
        const below = { ...child, unit: unitBelow(unit, child.from) };
        const isLast = place === node.children.length - 1;
        children.push({ ...child, at: await this.#sealed(below, by, isNewest && isLast) });
      }
      node = branchOf(children);
    }
    return isNewest ? node : await this.#nodes.save(node, unit, by);
  }

  /**
   * Every key that the index names: nodes, data files, raw responses and restatements. Skips nodes whose key
   * is in `seen`, with all below them, and adds the others to it. Reading several indexes thus costs only
   * what they do not share.
   */
  async *keys(seen: Set<string> = new Set()): AsyncGenerator<string> {
    let opened: string[] = [];
    const visited = this.visit((_, unit, at) => {
      if (at.kind === "stored") {
        const key = this.#nodes.keyOf(unit, at);
        if (seen.has(key)) {
          return "skip";
        }
        seen.add(key);
        opened.push(key);
      }
      return "open";
    });
    for await (const one of visited) {
      yield* opened;
      opened = [];
      yield* namedKeys(this.#nodes.account, "entries" in one ? one.entries : null);
    }
    yield* opened;
  }

  readonly #load: Load = (at, unit, sum) => this.#nodes.load(at, unit, sum);
}
