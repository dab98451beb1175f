/** Markup of a page as its tags alone, with the names of their attributes: what no text may change. */
export interface Tag {
  /** `/p` for its end */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Of markup that escapes `<`, `>` and `"` in all text, which is what the tests with hostile texts show. */
export function tagsOf(page: string): Tag[] {
  return [...page.matchAll(/<(?<name>[!/]?[a-z0-9]+)(?<rest>[^<>]*)>/gi)].map(({ groups = {} }) => ({
    name: (groups["name"] ?? "").toLowerCase(),
    attributes: Object.fromEntries(
      [...(groups["rest"] ?? "").matchAll(/(?<key>[a-z-]+)(?:="(?<value>[^"]*)")?/gi)].map((match) => [
        match.groups?.["key"] ?? "",
        match.groups?.["value"] ?? "",
      ]),
    ),
  }));
}

/** `p class id`, in order. */
export function skeletonOf(page: string): string[] {
  return tagsOf(page).map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(" "));
}
