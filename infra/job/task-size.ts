/**
 * A pack is made by one processor; the second is for the collector of garbage, hashes and encryption. The
 * memory is the least that Fargate gives to two: a pack holds 290 MB (BENCHMARKS.md), and 41 uploads of some
 * parts of 5 MiB.
 */
export const TASK_SIZE = { vcpus: 2, gb: 4 } as const;
