import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { FILLS_COLUMNS, PARTITION_COLUMNS } from "../../infra/table/columns.ts";
import { SAVED_QUERIES, sqlOf, VIEWS } from "../../infra/table/queries.ts";
import { TableStack } from "../../infra/table/table-stack.ts";
import { BEGINNING_MS } from "../../lambda/core/beginning.ts";
import { resourcesOf } from "./synth.ts";

function tableStack(accounts: readonly string[] = ["main"]): { readonly app: App; readonly stack: TableStack } {
  const app = new App();
  const archive = { bucket: { bucketName: "archive-bucket" } };
  const stack = new TableStack(app, "FillbookTable", { archive, prefix: "fillbook", accounts, queryLimitGb: 10 });
  return { app, stack };
}

function tableTemplate(accounts?: readonly string[]): Template {
  return Template.fromStack(tableStack(accounts).stack);
}

interface GlueTable {
  readonly DatabaseName: string;
  readonly TableInput: {
    readonly Name: string;
    readonly TableType: string;
    readonly Parameters: Readonly<Record<string, unknown>>;
    readonly PartitionKeys: readonly { readonly Name: string; readonly Type: string }[];
    readonly StorageDescriptor: {
      readonly Columns: readonly { readonly Name: string; readonly Type: string; readonly Comment?: string }[];
      readonly Location?: unknown;
    };
    readonly ViewOriginalText?: string;
    readonly ViewExpandedText?: string;
  };
}

function glueTables(template: Template): ReadonlyMap<string, GlueTable["TableInput"]> {
  return new Map(
    resourcesOf(template, "AWS::Glue::Table").map(([, { Properties }]) => {
      const { TableInput } = Properties as unknown as GlueTable;
      return [TableInput.Name, TableInput];
    }),
  );
}

describe("the table stack", () => {
  const template = tableTemplate();
  const tables = glueTables(template);

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

  test("names no column twice, and none that Glue would refuse", () => {
    for (const { StorageDescriptor, PartitionKeys, TableType } of tables.values()) {
      const own = StorageDescriptor.Columns.map(({ Name }) => Name);
      const all = TableType === "VIRTUAL_VIEW" ? own : [...own, ...PartitionKeys.map(({ Name }) => Name)];
      expect(new Set(all).size).toBe(all.length);
      for (const { Comment = "" } of StorageDescriptor.Columns) {
        expect(Comment.length).toBeLessThanOrEqual(255); // docs.aws.amazon.com/glue/latest/webapi/API_Column.html
        expect(Comment).not.toMatch(/[\r\n\t]/);
      }
    }
    expect(FILLS_COLUMNS.map(({ name }) => name)).not.toContain("digits");
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

  test("saves queries of the first account, each with the account that the table must be told", () => {
    const saved = resourcesOf(tableTemplate(["desk-2", "main"]), "AWS::Athena::NamedQuery");
    expect(saved.map(([, { Properties }]) => Properties["Name"])).toEqual(SAVED_QUERIES.map(({ name }) => name));
    for (const [, { Properties }] of saved) {
      expect(Properties).toMatchObject({ Database: "fillbook", WorkGroup: { Ref: "WorkGroup" } });
      expect(String(Properties["QueryString"]).match(/account = '[^']*'/g)).toEqual(["account = 'desk-2'"]);
    }
    for (const { file } of SAVED_QUERIES) {
      expect(sqlOf(file)).toMatch(/^WHERE account = 'main'/m);
    }
  });

  test("has views that can be asked for an account: each has that column", () => {
    for (const { columns } of VIEWS) {
      expect(columns.map(({ name }) => name)).toContain(PARTITION_COLUMNS[0]?.name);
    }
  });
});
