/** No account has fills before this time, ms UTC. If one does, the walk notices it and asks for `--from`. */
export const BEGINNING_MS = Date.UTC(2015, 0, 1);
