/**
 * One processor makes a pack; the second serves the garbage collector, hashes and encryption. The memory is
 * the least that Fargate allows with two processors: a pack needs 290 MB (BENCHMARKS.md), and 41 uploads some
 * parts of 5 MiB each.
 */
export const TASK_SIZE = { vcpus: 2, gb: 4 } as const;
