import type { ByteSink } from "./byte-sink.ts";
import type { ByteSource } from "./byte-source.ts";

/**
 * Thrift's compact protocol (apache/thrift, thrift-compact-protocol.md), as far as Parquet's headers and
 * footers use it.
 */
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** Fields by id. */
export interface Fields {
  readonly [id: number]: Value | undefined;
}
export type Value = number | boolean | string | Int64 | Uint8Array | readonly Value[] | Fields;

/** A whole number that Parquet declares as 64 bits wide. */
export class Int64 {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

const I32 = 5;
const I64 = 6;

export function writeFields(fields: Fields, out: ByteSink): void {
  let last = 0;
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) {
      const id = Number(name);
      out.byte(((id - last) << 4) | (value === false ? FALSE : typeOf(value)));
      last = id;
      if (typeof value !== "boolean") {
        writeValue(value, out);
      }
    }
  }
  out.byte(0);
}

function typeOf(value: Value): number {
  if (typeof value === "number") {
    return I32;
  }
  if (typeof value === "boolean") {
    return TRUE;
  }
  if (value instanceof Int64) {
    return I64;
  }
  if (typeof value === "string" || value instanceof Uint8Array) {
    return BINARY;
  }
  return Array.isArray(value) ? LIST : STRUCT;
}

function writeValue(value: Value, out: ByteSink): void {
  if (typeof value === "number") {
    out.zigzag(value);
  } else if (value instanceof Int64) {
    out.zigzag(value.value);
  } else if (typeof value === "string" || value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    out.varint(bytes.length);
    out.append(bytes);
  } else if (isList(value)) {
    writeList(value, out);
  } else {
    writeFields(value as Fields, out);
  }
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function writeList(values: readonly Value[], out: ByteSink): void {
  const type = typeOf(values[0] ?? {});
  if (values.length < 15) {
    out.byte((values.length << 4) | type);
  } else {
    out.byte(0xf0 | type);
    out.varint(values.length);
  }
  for (const value of values) {
    writeValue(value, out);
  }
}

/** The fields of a struct that was read: numbers of both widths as numbers, text and bytes as bytes. */
export class Struct {
  readonly #source: ByteSource;
  readonly #fields: ReadonlyMap<number, unknown>;

  constructor(source: ByteSource, fields: ReadonlyMap<number, unknown>) {
    this.#source = source;
    this.#fields = fields;
  }

  has(id: number): boolean {
    return this.#fields.has(id);
  }

  /** A whole number of at least 0. `otherwise`: the value if the field is missing. */
  count(id: number, otherwise?: number): number {
    const value = this.#fields.get(id) ?? otherwise;
    this.#source.check(typeof value === "number" && value >= 0, "a number is missing");
    return value as number;
  }

  text(id: number): string {
    const value = this.#fields.get(id);
    this.#source.check(value instanceof Buffer, "a text is missing");
    return (value as Buffer).toString();
  }

  struct(id: number): Struct {
    const value = this.#fields.get(id);
    this.#source.check(value instanceof Struct, "a struct is missing");
    return value as Struct;
  }

  structs(id: number): readonly Struct[] {
    const value = this.#fields.get(id);
    this.#source.check(
      Array.isArray(value) && value.every((item) => item instanceof Struct),
      "a list of structs is missing",
    );
    return value as Struct[];
  }
}

/** Deeper than any structure in Parquet. */
const MAX_DEPTH = 16;

/**
 * Throws if the bytes are not Thrift. Each value takes at least one byte, so the number of values is bounded
 * by the bytes.
 */
export function readStruct(source: ByteSource, depth = 0): Struct {
  source.check(depth < MAX_DEPTH, "structs are nested too deeply");
  const fields = new Map<number, unknown>();
  let id = 0;
  for (;;) {
    const header = source.byte();
    const type = header & 15;
    if (type === 0) {
      return new Struct(source, fields);
    }
    id = header >> 4 === 0 ? source.zigzag() : id + (header >> 4);
    fields.set(id, type === TRUE || type === FALSE ? type === TRUE : readValue(source, type, depth));
  }
}

function readValue(source: ByteSource, type: number, depth: number): unknown {
  switch (type) {
    case TRUE:
    case FALSE:
    case BYTE:
      return source.byte();
    case DOUBLE:
      return source.take(8);
    case BINARY:
      return source.take(source.varint());
    case LIST:
      return readList(source, depth);
    case STRUCT:
      return readStruct(source, depth + 1);
    default:
      source.check(type > BYTE && type <= I64, "a field of an unknown type");
      return source.zigzag();
  }
}

function readList(source: ByteSource, depth: number): unknown[] {
  source.check(depth < MAX_DEPTH, "lists are nested too deeply");
  const header = source.byte();
  const size = header >> 4 === 15 ? source.varint() : header >> 4;
  source.check(size <= source.left, "a list longer than the file");
  return Array.from({ length: size }, () => readValue(source, header & 15, depth + 1));
}
