/**
 * Folders that are removed after the tests of a file (setup.ts), which may share with those of other files
 * the module that made them.
 */
export const leftovers: string[] = [];
