import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Asset } from "aws-cdk-lib/aws-s3-assets";
import type { Construct } from "constructs";

/**
 * The accounts' names in S3, a JSON array, for what must not grow with their number. An object that is named by its content: a deployment that is
 * rolled back finds its own list again.
 */
export function accountList(scope: Construct, accounts: readonly string[]): Asset {
  const path = join(mkdtempSync(join(tmpdir(), "fillbook-accounts-")), "accounts.json");
  writeFileSync(path, JSON.stringify(accounts));
  return new Asset(scope, "Accounts", { path });
}
