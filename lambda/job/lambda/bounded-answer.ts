/** A state machine holds 256 KiB in a state, and an answer that is larger ends its execution for good: this leaves room for all else in it. Bytes. */
const MAX_BYTES = 100_000;
/** Of a text in what is left of a larger answer, and of an error's message. */
const MAX_LETTERS = 4000;

type Fields = Readonly<Record<string, unknown>>;

/** Without `coverage`, which may have any number of ranges and is in the archive; of what is too large all the same, what is no list and no object. */
export function bounded<Answer extends Fields>({ coverage: _, ...answer }: Answer): Omit<Answer, "coverage"> | Fields {
  if (Buffer.byteLength(JSON.stringify(answer)) <= MAX_BYTES) {
    return answer;
  }
  const plain = Object.entries(answer).filter(([, value]) => typeof value !== "object" || value === null);
  return {
    ...Object.fromEntries(plain.map(([name, value]) => [name, typeof value === "string" ? shortened(value) : value])),
    shortened: true,
  };
}

export function shortened(text: string): string {
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}
