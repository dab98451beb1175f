/** The text of the page's statement. */
export function statementText(page: string): string {
  const [statement = ""] = /<header [\s\S]*<\/header>/.exec(page) ?? [];
  return statement
    .replaceAll(/<span aria-hidden="true">.<\/span>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("−", "-")
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** Without white space. */
export function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
