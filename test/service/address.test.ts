import { describe, expect, test } from "vitest";
import { checkAddress } from "../../lambda/service/address.ts";

describe("an address", () => {
  test.each([
    "https://account.example.com",
    "https://account.example.com/base/",
    "http://127.0.0.1:8080",
    "http://localhost:1",
    "http://[::1]:1",
  ])("%s", (address) => {
    expect(checkAddress(address, "--account-url").href).toContain(address.replace(/\/$/, ""));
  });

  test.each([
    ["", "is not an address"],
    ["account.example.com", "is not an address"],
    ["ftp://account.example.com", "begins with ftp: and not with https:"],
    ["http://account.example.com", "is http to account.example.com: only https leaves this machine"],
    ["http://10.0.0.1:9000", "is http to 10.0.0.1: only https leaves this machine"],
    ["http://127.0.0.1.example.com", "is http to 127.0.0.1.example.com: only https leaves this machine"],
    ["https://me:secret@example.com", "contains a user name or a password; the token has its own setting"],
    ["https://example.com/?token=x", "contains a ? or a #; give only the host and, if needed, a path"],
  ])("not %s", (address, problem) => {
    expect(() => checkAddress(address, "--account-url")).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: `--account-url ${problem}`,
        hint: "write --account-url https://host.example.com",
      }),
    );
  });
});
