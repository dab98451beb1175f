/**
 * Folders that setup.ts removes after the tests of a file. Several test files may share the module that made
 * them.
 */
export const leftovers: string[] = [];
