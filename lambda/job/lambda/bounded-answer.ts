/**
 * A state machine's state holds at most 256 KiB, and a larger answer ends the execution for good. This limit,
 * in bytes, leaves room for everything else in the state.
 */
const MAX_BYTES = 100_000;
/** The most characters of a text in a shortened answer, and of an error's message. */
const MAX_LETTERS = 4000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Drops `coverage`, which may have any number of ranges and is in the archive. If the answer is still too
 * large, drops all lists and objects.
 */
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
