import { describe, expect, test } from "vitest";
import { type Call, unmatched, type Values } from "./policy.ts";
import { brief, type Resource, resourcesOf, statementsOf, templates } from "./synth.ts";

type Settings = Readonly<Record<string, string>>;

const LOCKED = { packLockDays: "3650" };

const bucketsIn = (settings: Settings) => resourcesOf(templates(settings).data, "AWS::S3::Bucket");

describe("a key of our own", () => {
  const KMS = { ...LOCKED, encryption: "kms" };
  const AFTER_KMS = { ...LOCKED, encryption: "s3-after-kms" };
  const rulesOf = (settings: Settings) =>
    bucketsIn(settings).map(([, { Properties }]) => {
      const { ServerSideEncryptionConfiguration: rules } = Properties["BucketEncryption"] as Resource["Properties"];
      return rules;
    });
  const use = (settings: Settings) =>
    resourcesOf(templates(settings).job, "AWS::IAM::Policy").flatMap(([, policy]) =>
      statementsOf(policy).filter(({ Sid }) => Sid === "ArchiveKey"),
    );

  test("rotates, and encrypts the archive and locked packs if the settings say so", () => {
    templates(KMS).data.hasResourceProperties("AWS::KMS::Key", { EnableKeyRotation: true });
    const s3 = [{ ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }];
    const key = { SSEAlgorithm: "aws:kms", KMSMasterKeyID: { "Fn::GetAtt": ["ArchiveKey3EF5EDE5", "Arn"] } };
    const kms = [{ BucketKeyEnabled: true, ServerSideEncryptionByDefault: key }];
    expect([rulesOf(KMS), rulesOf(LOCKED)]).toEqual([
      [s3, kms, kms],
      [s3, s3, s3],
    ]);
  });

  test("stays for reading when it is switched off, and S3's own key encrypts new objects", () => {
    expect(rulesOf(AFTER_KMS)).toEqual(rulesOf(LOCKED));
    expect(use(KMS)).toHaveLength(1);
    expect(use(AFTER_KMS)).toEqual(use(KMS));
  });
});

describe("the lock of packs", () => {
  const bucket = (settings: Settings) => bucketsIn(settings).find(([id]) => id.startsWith("Packs"))?.[1].Properties;

  const FOR_GOOD = { packLockDays: "1", packLockMode: "compliance", packLockForGood: "1" };

  test.each<[Settings, object]>([
    [LOCKED, { Mode: "GOVERNANCE", Days: 3650 }],
    [FOR_GOOD, { Mode: "COMPLIANCE", Days: 1 }],
  ])("holds every version for the days of the setting: %j", (settings, retention) => {
    expect(bucket(settings)).toMatchObject({
      ObjectLockEnabled: true,
      ObjectLockConfiguration: { ObjectLockEnabled: "Enabled", Rule: { DefaultRetention: retention } },
      VersioningConfiguration: { Status: "Enabled" },
    });
  });

  test("holds no new ones when it is switched off; the bucket stays", () => {
    const ObjectLockConfiguration = { ObjectLockEnabled: "Enabled" };
    expect(bucket({ packLockDays: "0" })).toEqual({ ...bucket(LOCKED), ObjectLockConfiguration });
  });
});

const VALUES: Values = [
  [/Arn\(ArchiveBucket\w+\)/g, "arn:aws:s3:::archive"],
  [/Arn\(PacksBucket\w+\)/g, "arn:aws:s3:::packs"],
];
const role = (name: string) => `arn:aws:iam::000000000000:role/${name}`;
const PERSON = role("accountant-of-the-firm");
const ACCOUNT = role("fillbook-account-eu-west-1");
const PAGE = role("fillbook-page-eu-west-1");

const PACK_FILES = ["main/packs/us-2025/0123/fills.csv", "main/packs/us-2025/0123.zip"];
const LATEST = "main/packs/us-2025/latest.json";
const FOLDERS = "manifests/1-a.json fills/month=2025-03/x restatements/x readings/x unfiled/x contracts/x".split(" ");
const CREATED = [...FOLDERS.map((one) => `main/${one}`), "main/downloads/2026-01/x.json", ...PACK_FILES];
const SWAPPED = ["main/head.json", LATEST, "table/account=main/month=2025-03/fills.parquet"];
const FREE = ["main/checks/files.json"];
const INPUT = "main/inputs/funding.csv";
const LIFTS = ["DeleteObjectVersion", "BypassGovernanceRetention", "PutObjectRetention", "PutObjectLegalHold"];

const { data } = templates(LOCKED);
const policies = resourcesOf(data, "AWS::S3::BucketPolicy");
const policyOf = (id: string) => policies.flatMap(([name, one]) => (name.startsWith(id) ? statementsOf(one) : []));
const REFUSED = { archive: policyOf("ArchiveBucket"), packs: policyOf("PacksBucket") };

/** Whether a bucket refuses a call by TLS to whoever may do everything else. */
function refuses(bucket: keyof typeof REFUSED, action: string, key: string, context: Call["context"] = {}): boolean {
  const resource = `arn:aws:s3:::${bucket}/fillbook/${key}`;
  const tls = { "aws:SecureTransport": "true", "s3:TlsVersion": "1.3", "aws:PrincipalArn": PERSON };
  return unmatched(REFUSED[bucket], VALUES, [{ action, resource, context: { ...tls, ...context } }]).length === 0;
}

const WRITES = {
  blind: { "s3:ObjectCreationOperation": "true" },
  first: { "s3:ObjectCreationOperation": "true", "s3:if-none-match": "*" },
  swap: { "s3:ObjectCreationOperation": "true", "s3:if-match": '"x"' },
  part: { "s3:ObjectCreationOperation": "false" }, // takes no condition; the upload's end does
};

type Case = [bucket: keyof typeof REFUSED, key: string, refused: (keyof typeof WRITES)[], context?: Call["context"]];

describe("the buckets refuse to everybody", () => {
  test("by name of nobody", () => {
    const statements = Object.values(REFUSED).flat();
    expect(statements.length).toBeGreaterThan(10);
    expect(statements.filter(({ Effect, Principal }) => Effect !== "Deny" || brief(Principal) !== "AWS(*)")).toEqual(
      [],
    );
  });

  test.each<Case>([
    ...CREATED.map((key): Case => ["archive", key, ["blind", "swap"]]),
    ...SWAPPED.map((key): Case => ["archive", key, ["blind"]]),
    ...FREE.map((key): Case => ["archive", key, []]),
    ...PACK_FILES.map((key): Case => ["packs", key, ["blind", "swap"]]),
    ["packs", LATEST, ["blind"]],
    // Two users of the page never overwrite each other's file unseen; others may copy one there.
    ["archive", INPUT, ["blind"], { "aws:PrincipalArn": PAGE }],
    ["archive", INPUT, []],
  ])("in %s/%s the writes %j", (bucket, key, refused, context = {}) => {
    const all = Object.entries(WRITES);
    const found = all.flatMap(([how, write]) =>
      refuses(bucket, "s3:PutObject", key, { ...write, ...context }) ? [how] : [],
    );
    expect(found).toEqual(refused);
  });

  test("deleting heads, contracts and packs; of locked packs hiding them, and to fillbook all that lifts the lock", () => {
    for (const key of [...CREATED, ...SWAPPED, ...FREE, INPUT]) {
      const isKept = /head|contracts|packs/.test(key);
      expect([key, refuses("archive", "s3:DeleteObject", key)]).toEqual([key, isKept]);
      expect([key, refuses("archive", "s3:DeleteObjectVersion", key)]).toEqual([key, isKept]);
    }
    for (const key of [...PACK_FILES, LATEST]) {
      expect(refuses("packs", "s3:DeleteObject", key)).toBe(true);
      for (const lift of LIFTS) {
        const by = (who: string) => refuses("packs", `s3:${lift}`, key, { "aws:PrincipalArn": who });
        expect([by(ACCOUNT), by(PERSON)]).toEqual([true, false]);
      }
    }
  });

  test("what is asked without TLS or with an old one, and links that are older than ten minutes", () => {
    for (const bucket of ["archive", "packs"] as const) {
      const read = (context: Call["context"]) => refuses(bucket, "s3:GetObject", LATEST, context);
      const old = [read({ "aws:SecureTransport": "false" }), read({ "s3:TlsVersion": "1.1" })];
      expect([read({}), ...old]).toEqual([false, true, true]);
      const signed = (authType: string, age: number) =>
        read({ "s3:authType": authType, "s3:signatureAge": String(age) });
      const asked = [signed("REST-QUERY-STRING", 600_000), signed("REST-QUERY-STRING", 600_001)];
      expect([...asked, signed("REST-HEADER", 3_600_000)]).toEqual([false, true, false]);
    }
  });
});
