/** The fields of a head that the published format specifies. */
export interface HeadText {
  readonly seq: number;
  readonly commitId: string;
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  /** The last collection of orphans, by the store's clock, ms. */
  readonly collection: { readonly at: number } | null;
}

/** A head that was written, with its time, ms. */
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

/** Requires that each head follows the previous one in its numbers and its manifest. */
export function lineage(heads: readonly HeadText[]): string[] {
  return heads.slice(1).flatMap((head, index) => {
    const before = heads[index] ?? head;
    const [old, next] = [before.manifest?.seq ?? 0, head.manifest?.seq ?? 0];
    const follows =
      head.seq === before.seq + 1 &&
      (next === old ? head.manifest?.sha256 === before.manifest?.sha256 : next === old + 1);
    return follows
      ? []
      : [`head ${head.seq} (${head.commitId}) does not follow head ${before.seq} (${before.commitId})`];
  });
}
