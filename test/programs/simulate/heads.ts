/** The head, as far as the published format goes. */
export interface HeadText {
  readonly seq: number;
  readonly epoch: number;
  readonly commitId: string;
  readonly recentCommitIds: readonly string[];
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  /** The last collection of orphans: when, by the store's clock, ms, and at which manifest. */
  readonly collection: { readonly at: number; readonly seq: number } | null;
}

/** A head that was written, and when, ms. */
export interface LandedHead {
  readonly at: number;
  readonly body: string;
}

export interface DatedHead extends HeadText {
  readonly at: number;
}

export function headOf({ at, body }: LandedHead): DatedHead {
  const head: HeadText = JSON.parse(body);
  return { ...head, at };
}

export function manifestKeyOf({ seq, sha256 }: { seq: number; sha256: string }): string {
  return `main/manifests/${seq}-${sha256}.json`;
}

/** Each head follows the one before it: by its numbers, by its ancestors, and by its manifest. */
export function lineage(heads: readonly HeadText[]): string[] {
  return heads.slice(1).flatMap((head, index) => {
    const before = heads[index] ?? head;
    const [old, next] = [before.manifest?.seq ?? 0, head.manifest?.seq ?? 0];
    const follows =
      head.seq === before.seq + 1 &&
      head.epoch >= before.epoch &&
      head.epoch <= before.epoch + 1 &&
      head.recentCommitIds[0] === before.commitId &&
      (next === old ? head.manifest?.sha256 === before.manifest?.sha256 : next === old + 1);
    return follows
      ? []
      : [`head ${head.seq} (${head.commitId}) does not follow head ${before.seq} (${before.commitId})`];
  });
}
