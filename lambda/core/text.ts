/** Orders texts by code unit, so that the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

/** Digits in threes: `20,134`. */
export function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A number of things: `20,134`. */
export function count(value: number): string {
  return grouped(String(value));
}

/** `1 fill`, `20,134 fills` */
export function counted(value: number, one: string, more = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : more}`;
}

/** `hedge, main and 3 more`: the first so many. */
export function listed(names: readonly string[], most = names.length, separator = ", "): string {
  const left = names.length - most;
  return names.slice(0, most).join(separator) + (left > 0 ? ` and ${count(left)} more` : "");
}

/** The first so many, and one that says how many more there are. */
export function firstOf<T>(all: readonly T[], most: number, more: (left: number) => T): readonly T[] {
  const left = all.length - most;
  return left > 0 ? [...all.slice(0, most), more(left)] : all;
}

/** A rate per second: one decimal below ten, a whole number from ten on. */
export function rateText(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}

const SIZES = ["kB", "MB", "GB", "TB"] as const;

/** Bytes for people, in powers of 1000, as file managers count: `812 B`, `1.2 MB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length);
  const unit = SIZES[power - 1];
  return unit === undefined ? `${bytes} B` : `${(bytes / 1000 ** power).toFixed(1)} ${unit}`;
}

/** ms for people, in seconds only below a minute: `40 s`, `12 min`, `3 h 20 min`, `6.5 days`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min`;
  }
  const days = minutes / 60 / 24;
  return days < 2 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Number(days.toFixed(1))} days`;
}

/** `--store ./books`; what begins with a dash needs a `=`, or it is taken for another flag. */
export function typedFlag(flag: string, value: string): string {
  return `--${flag}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`;
}

/** A word quoted for the shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
