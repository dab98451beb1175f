/** Counts of what a simulation exercised, according to its manifests and results. */
export interface Reach {
  /** windows that ended by the order of their rows */
  orderEnds: number;
  /** windows whose far part was split off, left open by one run for the next */
  cutsLeft: number;
  /** orders that were proven and later refuted by a row */
  demotions: number;
  lookBacks: number;
  rotations: number;
  /** late and changed fills found */
  restated: number;
  collections: number;
  /** orphans deleted */
  deleted: number;
  /** runs whose number of requests was checked against the limit */
  bounded: number;
}

export function nothingReached(): Reach {
  return {
    orderEnds: 0,
    cutsLeft: 0,
    demotions: 0,
    lookBacks: 0,
    rotations: 0,
    restated: 0,
    collections: 0,
    deleted: 0,
    bounded: 0,
  };
}

/** The fields of a manifest that the published format specifies. */
export interface ManifestText {
  readonly coverage: readonly { readonly from: number; readonly to: number }[];
  readonly windows: readonly { readonly from: number; readonly to: number; readonly ended: string }[];
  readonly restatements: readonly { readonly rows: number }[];
  readonly dataFiles: readonly { readonly key: string }[];
  readonly checkpoint: {
    readonly open: readonly { readonly from: number; readonly to: number; readonly cut: string | null }[];
    readonly order: { readonly evidence: number; readonly refuted: boolean };
    readonly rechecks: readonly unknown[];
    readonly lookedBackAt: number | null;
    readonly proven: { readonly keepingEnd: number; readonly keepingBeginning: number };
    readonly rotatedTo: number | null;
    readonly rotatedAt: number | null;
  };
}

/** natural logarithm of the odds at which the walk relies on the order */
const PROVEN = Math.log(1e6);

/** Watches a simulation's manifests, in the order in which they were written. */
export class ReachWatch {
  readonly reach = nothingReached();
  readonly #seen = new Set<string>();

  manifest({ windows, restatements, checkpoint }: ManifestText): void {
    const { order, lookedBackAt, rotatedTo, rotatedAt } = checkpoint;
    for (const { from, to, ended } of windows) {
      this.reach.orderEnds += ended === "order" && this.#isNew(`window ${from}-${to}`) ? 1 : 0;
    }
    this.reach.demotions += order.refuted && order.evidence >= PROVEN && this.#isNew("demotion") ? 1 : 0;
    this.reach.lookBacks += lookedBackAt !== null && this.#isNew(`look-back ${lookedBackAt}`) ? 1 : 0;
    this.reach.rotations += rotatedTo !== null && this.#isNew(`rotation ${rotatedAt}`) ? 1 : 0;
    this.reach.restated = restatements.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** Counts what the last manifest of a run shows. */
  left({ checkpoint }: ManifestText): void {
    for (const { from, to, cut } of checkpoint.open) {
      this.reach.cutsLeft += cut !== null && this.#isNew(`cut ${from}-${to}`) ? 1 : 0;
    }
  }

  #isNew(what: string): boolean {
    const { size } = this.#seen;
    return this.#seen.add(what).size > size;
  }
}
