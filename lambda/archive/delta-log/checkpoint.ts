import { parquetReadObjects, type SchemaElement } from "hyparquet";
import { ByteWriter, parquetWrite } from "hyparquet-writer";
import type { Actions } from "./actions.ts";

/**
 * A checkpoint holds the whole state of a Delta log at a version, as Parquet, so that readers need not read
 * the earlier commits (PROTOCOL.md, "Checkpoints"). Its cells are nested. Our own Parquet code does not
 * support that, so hyparquet and hyparquet-writer do it.
 */

type Node = readonly [name: string, type: Type | readonly Node[]];
type Type = "text" | "long" | "int" | "boolean" | "map" | "list";

const SCHEMA: readonly Node[] = [
  [
    "txn",
    [
      ["appId", "text"],
      ["version", "long"],
      ["lastUpdated", "long"],
    ],
  ],
  [
    "add",
    [
      ["path", "text"],
      ["partitionValues", "map"],
      ["size", "long"],
      ["modificationTime", "long"],
      ["dataChange", "boolean"],
      ["stats", "text"],
    ],
  ],
  [
    "remove",
    [
      ["path", "text"],
      ["deletionTimestamp", "long"],
      ["dataChange", "boolean"],
    ],
  ],
  [
    "metaData",
    [
      ["id", "text"],
      ["name", "text"],
      ["description", "text"],
      [
        "format",
        [
          ["provider", "text"],
          ["options", "map"],
        ],
      ],
      ["schemaString", "text"],
      ["partitionColumns", "list"],
      ["configuration", "map"],
      ["createdTime", "long"],
    ],
  ],
  [
    "protocol",
    [
      ["minReaderVersion", "int"],
      ["minWriterVersion", "int"],
    ],
  ],
];

/** Every column is optional because a row holds one action. */
function elementsOf([name, type]: Node): SchemaElement[] {
  const field = { name, repetition_type: "OPTIONAL" as const };
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  switch (type) {
    case "text":
      return [{ ...field, ...text }];
    case "long":
      return [{ ...field, type: "INT64" }];
    case "int":
      return [{ ...field, type: "INT32" }];
    case "boolean":
      return [{ ...field, type: "BOOLEAN" }];
    case "map":
      return [
        { ...field, num_children: 1, converted_type: "MAP" },
        { name: "key_value", repetition_type: "REPEATED", num_children: 2 },
        { name: "key", repetition_type: "REQUIRED", ...text },
        { name: "value", repetition_type: "OPTIONAL", ...text },
      ];
    case "list":
      return [
        { ...field, num_children: 1, converted_type: "LIST" },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        { name: "element", repetition_type: "OPTIONAL", ...text },
      ];
    default:
      return [{ ...field, num_children: type.length }, ...type.flatMap(elementsOf)];
  }
}

export async function encodeCheckpoint(rows: readonly Actions[]): Promise<Uint8Array> {
  const writer = new ByteWriter();
  const schema = [{ name: "root", num_children: SCHEMA.length }, ...SCHEMA.flatMap(elementsOf)];
  const columnData = SCHEMA.map((node) => ({
    name: node[0],
    data: rows.map((row) => cellOf(node, row[node[0] as keyof Actions])),
  }));
  await parquetWrite({ writer, schema, columnData, codec: "SNAPPY", createdBy: "fillbook" });
  return writer.getBytes();
}

/** The value as hyparquet-writer takes it: longs as BigInt. */
function cellOf([, type]: Node, value: unknown): unknown {
  if (value === undefined || value === null) {
    return null;
  }
  if (type === "long") {
    return BigInt(value as number);
  }
  if (typeof type === "string") {
    return value;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(type.map((node) => [node[0], cellOf(node, fields[node[0]])]));
}

/**
 * The actions of a checkpoint, which another program may have written. Throws if the bytes are not a
 * checkpoint.
 */
export async function decodeCheckpoint(bytes: Uint8Array): Promise<readonly Actions[]> {
  const rows = await parquetReadObjects({ file: Uint8Array.from(bytes).buffer });
  return rows.map((row) => plain(row) as Actions);
}

/** Drops null fields and turns longs into numbers. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") {
    return Number(value);
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const fields = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(fields.map(([name, one]) => [name, plain(one)]));
}
