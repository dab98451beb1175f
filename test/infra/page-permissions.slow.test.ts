import { describe, expect, test } from "vitest";
import { type Call, unmatched, type Values } from "./policy.ts";
import { brief, pageTemplates, resourcesOf, type Statement, statementsOf, templates } from "./synth.ts";

const VALUES: Values = [
  [/Import\(FillbookData:ExportsOutputFnGetAttArchiveBucket\w+\)|Arn\(ArchiveBucket\w+\)/g, "arn:aws:s3:::archive"],
  [/Import\(FillbookData:ExportsOutputFnGetAttPacksBucket\w+\)|Arn\(PacksBucket\w+\)/g, "arn:aws:s3:::packs"],
  [/Import\(FillbookData:ExportsOutputFnGetAttArchiveKey\w+\)/g, "arn:aws:kms:eu-west-1:000000000000:key/archive"],
  [/Arn\(ServerRole\w+\)/g, "arn:aws:iam::000000000000:role/function"],
  [/Arn\(ServerLog\w+\)/g, "log"],
];
const TAG = "aws:PrincipalTag/account";
const ARCHIVE = "arn:aws:s3:::archive";
const PACKS = "arn:aws:s3:::packs";

/** A call by a session of the account `main`. */
function call(action: string, resource: string, context: Readonly<Record<string, string>> = {}): Call {
  return { action, resource, context: { [TAG]: "main", ...context } };
}

const ofMain = (key: string) => `${ARCHIVE}/fillbook/main/${key}`;

describe("a session of one account", () => {
  test("is opened only by the page's function, which names the account", () => {
    const roles = resourcesOf(pageTemplates().page, "AWS::IAM::Role");
    const [[, role] = []] = roles.filter(([id]) => id.startsWith("ServerAccountRole"));
    const trust = role === undefined ? [] : statementsOf(role);
    expect(trust.map(({ Action, Principal, Condition }) => [Action, brief(Principal), Condition])).toEqual([
      ["sts:AssumeRole", "AWS(Arn(ServerRoleB6C85082))", undefined],
      [
        "sts:TagSession",
        "AWS(Arn(ServerRoleB6C85082))",
        { "ForAllValues:StringEquals": { "aws:TagKeys": ["account"] } },
      ],
    ]);
    expect(brief(role?.Properties["RoleName"])).toBe("fillbook-page-Ref(AWS::Region)");
  });
});

describe("signed links", () => {
  const MINUTE = 60_000;
  const link = (ageMs: number, authType = "REST-QUERY-STRING", bucket = ARCHIVE): Call =>
    call("s3:GetObject", `${bucket}/fillbook/main/packs/us-2025/0123/fills.csv`, {
      "s3:authType": authType,
      "s3:signatureAge": String(ageMs),
      "aws:SecureTransport": "true",
      "s3:TlsVersion": "1.3",
    });

  function policyOf(bucket: string, settings: Readonly<Record<string, string>>): readonly Statement[] {
    const policies = resourcesOf(templates(settings).data, "AWS::S3::BucketPolicy");
    return policies.filter(([id]) => id.startsWith(bucket)).flatMap(([, policy]) => statementsOf(policy));
  }

  test.each([
    ["the archive", "ArchiveBucket", ARCHIVE],
    ["locked packs", "PacksBucket", PACKS],
  ])(
    "to %s last ten minutes at most, whatever they say; requests signed in the header do not expire",
    (_, id, bucket) => {
      const policy = policyOf(id, { page: "on", packLockDays: "30" });
      const [young, old] = [link(10 * MINUTE, undefined, bucket), link(10 * MINUTE + 1, undefined, bucket)];
      const byHeader = link(60 * MINUTE, "REST-HEADER", bucket);
      // `unmatched` returns the calls that no statement denies.
      expect(unmatched(policy, VALUES, [young, old, byHeader])).toEqual([young, byHeader]);
      expect(policy.every(({ Effect }) => Effect === "Deny")).toBe(true);
    },
  );

  test("are not limited without a page", () => {
    const old = link(60 * MINUTE);
    expect(unmatched(policyOf("ArchiveBucket", {}), VALUES, [old])).toEqual([old]);
  });
});

describe("an object that the page adds to an archive", () => {
  const put = (key: string, context: Readonly<Record<string, string>>): Call =>
    call("s3:PutObject", ofMain(key), { "s3:ObjectCreationOperation": "true", ...context });
  const policy = resourcesOf(pageTemplates().data, "AWS::S3::BucketPolicy")
    .filter(([id]) => id.startsWith("ArchiveBucket"))
    .flatMap(([, one]) => statementsOf(one))
    .filter(({ Sid }) => Sid !== undefined); // statements without a Sid require TLS

  test("is changed by the page only by compare-and-swap if it is a user's file; others who may write it need no condition", () => {
    const by = (role: string, context: Readonly<Record<string, string>> = {}) =>
      put("inputs/funding.csv", { "aws:PrincipalArn": `arn:aws:iam::000000000000:role/${role}`, ...context });
    const page = "fillbook-page-eu-west-1";
    const [blind, first, next] = [by(page), by(page, { "s3:if-none-match": "*" }), by(page, { "s3:if-match": "x" })];
    const byHand = by("accountant-of-the-firm");
    expect(unmatched(policy, VALUES, [blind, first, next, byHand])).toEqual([first, next, byHand]);
  });

  test("is written once if it is a record of a download", () => {
    const key = "downloads/2026-01/x.json";
    const [blind, first] = [put(key, {}), put(key, { "s3:if-none-match": "*" })];
    expect(unmatched(policy, VALUES, [blind, first])).toEqual([first]);
  });
});
