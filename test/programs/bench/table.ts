/** A Markdown table. Its columns are padded, so that it is also readable on a terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}

export function megabytes(bytes: number): string {
  const value = bytes / 1e6;
  return value.toFixed(value < 10 ? 1 : 0);
}

export function counted(many: number): string {
  return many.toLocaleString("en", { maximumFractionDigits: 1 });
}
