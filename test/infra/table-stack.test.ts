import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { namesOf } from "../../infra/names.ts";
import { SAVED_QUERIES, sqlOf, VIEWS } from "../../infra/table/queries.ts";
import { TableStack } from "../../infra/table/table-stack.ts";
import { BEGINNING_MS } from "../../lambda/core/beginning.ts";
import { resourcesOf } from "./synth.ts";

const template = Template.fromStack(
  new TableStack(new App(), "FillbookTable", {
    archive: { bucket: { bucketName: "archive-bucket" } },
    prefix: "fillbook",
    names: namesOf("fillbook"),
    accounts: ["desk-2", "main"],
    queryLimitGb: 10,
  }),
);

interface TableInput {
  readonly Name: string;
  readonly Parameters: Readonly<Record<string, unknown>>;
  readonly PartitionKeys: readonly { readonly Name: string; readonly Type: string }[];
  readonly StorageDescriptor: {
    readonly Columns: readonly { readonly Name: string; readonly Type: string }[];
    readonly Location?: unknown;
  };
  readonly ViewOriginalText?: string;
}

const tables = new Map(
  resourcesOf(template, "AWS::Glue::Table").map(([, { Properties }]) => {
    const table = Properties["TableInput"] as TableInput;
    return [table.Name, table];
  }),
);

describe("the table stack", () => {
  test("has one table over the lists of parts, in the database of the views", () => {
    const fills = tables.get("fills");
    expect(fills).toMatchObject({
      TableType: "EXTERNAL_TABLE",
      StorageDescriptor: {
        InputFormat: "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat",
        OutputFormat: "org.apache.hadoop.hive.ql.io.IgnoreKeyTextOutputFormat",
        SerdeInfo: { SerializationLibrary: "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe" },
      },
    });
    expect(fills?.StorageDescriptor.Location).toBe("s3://archive-bucket/fillbook/");
    const databases = resourcesOf(template, "AWS::Glue::Table").map(([, { Properties }]) => Properties["DatabaseName"]);
    expect(new Set(databases)).toEqual(new Set(["fillbook"]));
    template.hasResourceProperties("AWS::Glue::Database", { DatabaseInput: { Name: "fillbook" } });
  });

  test("projects its partitions: any account that the query names, each month since the beginning of accounts", () => {
    const { Parameters = {}, PartitionKeys = [] } = tables.get("fills") ?? {};
    expect(Parameters).toEqual({
      EXTERNAL: "TRUE",
      "projection.enabled": "true",
      "projection.account.type": "injected",
      "projection.month.type": "date",
      "projection.month.format": "yyyy-MM",
      "projection.month.range": `${new Date(BEGINNING_MS).toISOString().slice(0, 7)},NOW`,
      "projection.month.interval": "1",
      "projection.month.interval.unit": "MONTHS",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Athena's placeholders
      "storage.location.template": "s3://archive-bucket/fillbook/${account}/table/month=${month}/",
    });
    expect(PartitionKeys.map(({ Name, Type }) => [Name, Type])).toEqual([
      ["account", "string"],
      ["month", "string"],
    ]);
  });

  test("has each view as Athena writes it: the very text of its file, with its columns", () => {
    expect([...tables.keys()]).toEqual(["fills", ...VIEWS.map(({ name }) => name)]);
    for (const { name, file, columns } of VIEWS) {
      const view = tables.get(name);
      expect(view).toMatchObject({
        TableType: "VIRTUAL_VIEW",
        Parameters: { presto_view: "true", comment: "Presto View" },
        ViewExpandedText: "/* Presto View */",
      });
      const [, base64 = ""] = /^\/\* Presto View: ([A-Za-z0-9+/=]+) \*\/$/.exec(view?.ViewOriginalText ?? "") ?? [];
      const { originalSql, ...definition } = JSON.parse(Buffer.from(base64, "base64").toString("utf8"));
      expect(originalSql).toBe(sqlOf(file));
      expect(definition).toMatchObject({ catalog: "awsdatacatalog", schema: "fillbook" });
      const trino: Record<string, string> = { string: "varchar", timestamp: "timestamp(3)" };
      expect(definition.columns).toEqual(
        columns.map((column) => ({ name: column.name, type: trino[column.type] ?? column.type })),
      );
      expect(view?.StorageDescriptor.Columns.map((column) => [column.Name, column.Type])).toEqual(
        columns.map((column) => [column.name, column.type]),
      );
    }
  });

  test("limits what a query may read, whatever the client says, and keeps results out of our buckets", () => {
    const groups = resourcesOf(template, "AWS::Athena::WorkGroup");
    expect(groups.map(([, { Properties }]) => Properties)).toMatchObject([
      {
        Name: "fillbook",
        WorkGroupConfiguration: {
          EnforceWorkGroupConfiguration: true,
          BytesScannedCutoffPerQuery: 10_000_000_000,
          EngineVersion: { SelectedEngineVersion: "Athena engine version 3" },
          ManagedQueryResultsConfiguration: { Enabled: true },
          PublishCloudWatchMetricsEnabled: true,
        },
      },
    ]);
    expect(JSON.stringify(groups)).not.toContain('ResultConfiguration":');
  });

  test("saves queries of the first account, which the table must be told", () => {
    const saved = resourcesOf(template, "AWS::Athena::NamedQuery").map(([, { Properties }]) => Properties);
    expect(saved.map(({ Name }) => Name)).toEqual(SAVED_QUERIES.map(({ name }) => name));
    for (const { QueryString } of saved) {
      expect(String(QueryString).match(/account = '[^']*'/g)).toEqual(["account = 'desk-2'"]);
    }
  });
});
