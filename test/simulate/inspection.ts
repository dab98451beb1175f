import { zstdDecompressSync } from "node:zlib";
import type { Emulator } from "../emulator/core.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { type Audit, auditManifest, type PartRows } from "../support/auditor.ts";
import type { MemoryStore } from "../support/memory-store.ts";

const ACCOUNT = "main";

/** The head, as far as the published format goes. */
interface HeadText {
  readonly seq: number;
  readonly epoch: number;
  readonly commitId: string;
  readonly recentCommitIds: readonly string[];
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
}

/** What a run that has ended says of the archive. */
interface Said {
  readonly complete: boolean;
  readonly fills: number;
  readonly coverage: readonly { readonly from: number; readonly to: number }[];
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
}

interface Occasion {
  /** What may be covered at most. */
  readonly within: { readonly from: number; readonly to: number };
  readonly ended: Said | null;
}

/**
 * The independent judge of a simulation: reads every manifest that a head ever named, by the published format alone, and holds it against what
 * the service has.
 *
 * Where the dates filter by another time than `txCreated`, a run finds it out as it goes, and takes back what it had covered by them before it says that it
 * is complete. So there the manifests in between are counted (`provisional`) and not judged by what they lack; the one that a complete run leaves is.
 */
export class Inspector {
  readonly #objects: MemoryStore;
  readonly #emulator: Emulator;
  readonly #heads: readonly string[];
  readonly #secrets: readonly string[];
  readonly #parts = new Map<string, PartRows>();
  readonly #searched = new Set<string>();
  #inspected = 0;
  provisional = 0;

  constructor(ports: {
    objects: MemoryStore;
    emulator: Emulator;
    heads: readonly string[];
    secrets: readonly string[];
  }) {
    this.#objects = ports.objects;
    this.#emulator = ports.emulator;
    this.#heads = ports.heads;
    this.#secrets = ports.secrets;
  }

  /** One sentence for each promise that was broken since the last time. */
  async inspect({ within, ended }: Occasion): Promise<string[]> {
    const heads = this.#heads.map((body): HeadText => JSON.parse(body));
    const findings = lineage(heads.slice(Math.max(0, this.#inspected - 1)));
    const named = heads.slice(this.#inspected).flatMap(({ manifest }) => (manifest === null ? [] : [keyOf(manifest)]));
    this.#inspected = heads.length;
    const final = ended?.manifest === null || ended === null ? null : keyOf(ended.manifest);
    for (const key of new Set([...named, ...(final === null ? [] : [final])])) {
      const audit = await this.#audited(key);
      const isFinal = key === final && ended?.complete === true;
      findings.push(...judged(this.#forgiven(audit, isFinal), key, within));
      if (key === final && (ended?.fills !== audit.rows || !isSame(ended.coverage, audit.coverage))) {
        findings.push(`a run says ${ended?.fills} fills of ${JSON.stringify(ended?.coverage)}, its manifest otherwise`);
      }
    }
    findings.push(...this.#shown());
    return findings;
  }

  #forgiven(audit: Audit, isFinal: boolean): Audit {
    if (isFinal || audit.lost.length === 0 || this.#emulator.switches.filterBy === "txCreated") {
      return audit;
    }
    this.provisional += 1;
    return { ...audit, lost: [] };
  }

  /** The service's rows as they are; where rows change, also as they were and as they will be. */
  #versions(): Map<string, CompletedOrder>[] {
    const emulator = this.#emulator;
    const truth = emulator.truth(Number.POSITIVE_INFINITY);
    const { changingRows } = emulator.switches;
    if (changingRows === null) {
      return [truth];
    }
    const asIf = (afterRequests: number) => {
      emulator.setSwitches({ changingRows: { ...changingRows, afterRequests } });
      return emulator.truth(Number.POSITIVE_INFINITY);
    };
    const versions = [truth, asIf(Number.POSITIVE_INFINITY), asIf(0)];
    emulator.setSwitches({ changingRows });
    return versions;
  }

  async #audited(key: string): Promise<Audit> {
    const versions = this.#versions();
    const [first, ...others] = await Promise.all(
      versions.map((truth) => auditManifest(this.#objects, key, truth, this.#parts)),
    );
    if (first === undefined) {
      throw new Error("a service without rows has an empty map");
    }
    const isUntyped = this.#emulator.switches.badRows !== null; // the auditor reads plain rows only
    const wrong = isUntyped ? [] : first.wrong.filter((row) => others.every((one) => one.wrong.includes(row)));
    return { ...first, wrong };
  }

  /** No object holds a token, however it is packed. */
  #shown(): string[] {
    const findings: string[] = [];
    for (const [key, body] of this.#objects.snapshot()) {
      if (key.endsWith("head.json") || !this.#searched.has(key)) {
        this.#searched.add(key);
        const text = Buffer.from(key.endsWith(".zst") ? zstdDecompressSync(body) : body).toString("latin1");
        findings.push(...this.#secrets.filter((one) => text.includes(one)).map(() => `${key} holds the token`));
      }
    }
    return findings;
  }
}

function keyOf({ seq, sha256 }: { seq: number; sha256: string }): string {
  return `${ACCOUNT}/manifests/${seq}-${sha256}.json`;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Each head follows the one before it: by its numbers, by its ancestors, and by its manifest. */
function lineage(heads: readonly HeadText[]): string[] {
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

function judged(audit: Audit, key: string, within: { from: number; to: number }): string[] {
  const name = key.slice(ACCOUNT.length + 1, -54);
  const rows = (["lost", "doubled", "invented", "wrong"] as const).flatMap((kind) =>
    audit[kind].length === 0 ? [] : [`${name}: ${audit[kind].length} fills ${kind}, the first is ${audit[kind][0]}`],
  );
  const beyond = audit.coverage.filter(({ from, to }) => from < within.from || to > within.to);
  return [...rows, ...beyond.map(({ from, to }) => `${name}: ${from}-${to} is covered, and nobody asked for it`)];
}
