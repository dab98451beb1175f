/** Before this no account can have fills, ms UTC; one that has them all the same is noticed, and asks for `--from`. */
export const BEGINNING_MS = Date.UTC(2015, 0, 1);
