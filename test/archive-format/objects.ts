// The objects of an archive and their fields: docs/archive-format.md.

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface DataFile extends Range {
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  readonly first: number;
  readonly last: number;
  readonly firstTrade: number;
  readonly lastTrade: number;
  readonly setHash: string;
}

export interface Window extends Range {
  readonly rows: number;
  readonly rawResponses: readonly string[];
}

export interface RestatementFile {
  readonly key: string;
  readonly sha256: string;
  readonly rows: number;
  readonly lastTrade: number;
}

export interface Restated {
  readonly kind: string;
  readonly before: object | null;
  readonly after: object;
  readonly seenAt: number;
}

export interface Leaf {
  readonly kind: "leaf";
  readonly dataFiles: readonly DataFile[];
  readonly windows: readonly Window[];
  readonly restatements: readonly RestatementFile[];
}

export type Sum = Readonly<Record<string, string | number | null>>;
export interface Stored {
  readonly kind: "stored";
  readonly epoch: number;
  readonly sha256: string;
}
export type Child = Range & { readonly sum: Sum; readonly at: Node | Stored };
export type Node = Leaf | { readonly kind: "branch"; readonly children: readonly Child[] };

export interface Manifest {
  readonly format: string;
  readonly account: string;
  readonly seq: number;
  readonly fills: number;
  readonly coverage: readonly Range[];
  readonly index: Node;
}

export interface Head {
  readonly format: string;
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  readonly current: Manifest | null;
}
