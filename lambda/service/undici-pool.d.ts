/** The pool alone: undici's index brings its fetch, caches, mocks and web sockets along, which are half of it. It has no types of its own. */
declare module "undici/lib/dispatcher/pool.js" {
  // biome-ignore lint/style/noDefaultExport: what a CommonJS module exports is its default export
  export { Pool as default } from "undici";
}
