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

/** Data files and restatements are taken out by their key, windows by all that they say. */
export interface Change {
  readonly removed?: Partial<Entries>;
  readonly added?: Partial<Entries>;
}

/**
 * The index of what an archive names (node.ts), as a value: a change gives another one, which shares all nodes that it leaves as they are, and the nodes
 * that were read. Nothing is written before `seal`.
 */
export class ManifestIndex {
  readonly #nodes: Nodes;
  /** For a manifest only after `seal`: before, it has nodes in it that are to be stored. */
  readonly root: Node;
  /** The months, as `2025-03`, whose data files were changed since the index was read. */
  readonly changedMonths: ReadonlySet<string>;

  private constructor(nodes: Nodes, root: Node, changedMonths: ReadonlySet<string> = new Set()) {
    this.#nodes = nodes;
    this.root = root;
    this.changedMonths = changedMonths;
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

  /** Those whose partition overlaps the range, in the order of time. */
  async dataFiles(range: TimeRange): Promise<readonly DataFile[]> {
    return await this.#overlapping("parts", range);
  }

  /** Those that overlap the range, by `from`, then `to`. */
  async windows(range: TimeRange): Promise<readonly WindowRecord[]> {
    return await this.#overlapping("windows", range);
  }

  /** Those with a trade time before `range.to` and one at or after `range.from`, by the first. */
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

  /** The `count` windows whose distance to the time is least, by it and then by `from`; it is 0 for one that holds the time or ends with it. */
  async nearestWindows(time: number, count: number): Promise<readonly WindowRecord[]> {
    return await nearestWindows(this.#load, this.root, time, count);
  }

  /** Everything, a leaf at a time, in the order of time. A unit whose sum is not wanted is not loaded. */
  async *leaves(isWanted: (sum: Sum, unit: TimeRange) => boolean = () => true): AsyncGenerator<Entries> {
    for await (const visited of this.visit((sum, unit) => (isWanted(sum, unit) ? "open" : "skip"))) {
      if ("entries" in visited) {
        yield visited.entries;
      }
    }
  }

  /** For sums over a time: each unit is passed over, taken by its sum, or opened, in the order of time. Only what is opened is loaded. */
  visit(decide: Decide): AsyncGenerator<Visited> {
    return visit(this.#load, [placedRoot(this.root)], decide);
  }

  /**
   * What is added replaces what has the same identity, which is that by which it would be removed. Throws where what is to be removed is not there. Itself
   * where nothing is.
   */
  async change({ removed = {}, added = {} }: Change): Promise<ManifestIndex> {
    if ([removed, added].every((one) => Object.values(one).every(({ length }) => length === 0))) {
      return this;
    }
    const edits = { removed: { ...NO_ENTRIES, ...removed }, added: { ...NO_ENTRIES, ...added } };
    const root = await edited(this.#load, this.root, ALL, edits);
    const months = [...edits.removed.parts, ...edits.added.parts].map(({ from }) => monthName(from));
    return new ManifestIndex(this.#nodes, root, new Set([...this.changedMonths, ...months]));
  }

  /**
   * Writes what is to be an object of its own and is none yet; the root is for a manifest then. The last child of each branch, from the root down to the newest
   * leaf, stays in it. What an earlier run has stored keeps that run's epoch: an archive that was made in one run and one that was made in several hold
   * the same entries in the same units, under names, and so hashes of branches, that say who wrote them. As with evidence and restatements, that is all
   * in which they may differ.
   */
  async seal(by: Sealing): Promise<ManifestIndex> {
    const root = await this.#sealed(placedRoot(this.root), by, true);
    return new ManifestIndex(this.#nodes, root as Node, this.changedMonths);
  }

  /** With all below it stored; itself too, but not on the way to the newest. */
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
   * Every key of the account that the index names: of its nodes, data files, evidence and restatements. Nodes whose key is in `seen` are passed over with
   * all below them, and others are added to it: so several indexes cost what they do not share.
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
