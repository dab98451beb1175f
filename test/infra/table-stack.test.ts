import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { namesOf } from "../../infra/names.ts";
import { AccountTablesStack } from "../../infra/table/account-tables-stack.ts";
import { SAVED_QUERIES, sqlOf, VIEWS, viewsOf } from "../../infra/table/queries.ts";
import { TableStack } from "../../infra/table/table-stack.ts";
import { resourcesOf } from "./synth.ts";

const accounts = ["desk-2", "main"];
const names = namesOf("fillbook");
const template = Template.fromStack(new TableStack(new App(), "FillbookTable", { names, accounts, queryLimitGb: 10 }));
const archive = { bucket: { bucketName: "archive-bucket" } };
const tablesTemplate = Template.fromStack(
  new AccountTablesStack(new App(), "FillbookTables-0", {
    archive,
    prefix: "fillbook",
    database: names.database,
    accounts,
  }),
);

interface TableInput {
  readonly Name: string;
  readonly Parameters: Readonly<Record<string, unknown>>;
  readonly StorageDescriptor: {
    readonly Columns: readonly { readonly Name: string; readonly Type: string }[];
    readonly Location?: unknown;
  };
  readonly ViewOriginalText?: string;
}

const tablesIn = (from: Template) =>
  new Map(
    resourcesOf(from, "AWS::Glue::Table").map(([, { Properties }]) => {
      const table = Properties["TableInput"] as TableInput;
      return [table.Name, table];
    }),
  );
const tables = tablesIn(template);

describe("the table stack", () => {
  test("has a Delta table for each account, in the database of the views", () => {
    const own = tablesIn(tablesTemplate);
    expect([...own.keys()]).toEqual(["fills_of_desk_2", "fills_of_main"]);
    const location = "s3://archive-bucket/fillbook/desk-2/fills/";
    expect(own.get("fills_of_desk_2")).toMatchObject({
      TableType: "EXTERNAL_TABLE",
      Parameters: { EXTERNAL: "TRUE", table_type: "DELTA", "spark.sql.sources.provider": "delta" },
      StorageDescriptor: { Location: location, SerdeInfo: { Parameters: { path: location } } },
    });
    const databases = [template, tablesTemplate].flatMap((one) =>
      resourcesOf(one, "AWS::Glue::Table").map(([, { Properties }]) => Properties["DatabaseName"]),
    );
    expect(new Set(databases)).toEqual(new Set(["fillbook"]));
    template.hasResourceProperties("AWS::Glue::Database", { DatabaseInput: { Name: "fillbook" } });
  });

  test("has each view in Athena's form: the exact text of its file, with its columns", () => {
    const views = viewsOf(accounts);
    expect([...tables.keys()]).toEqual(views.map(({ name }) => name));
    expect(views.map(({ sql }) => sql)).toEqual([expect.any(String), ...VIEWS.map(({ file }) => sqlOf(file))]);
    expect(views[0]?.sql).toContain("SELECT 'desk-2' AS of_account, * FROM fills_of_desk_2\nUNION ALL\n");
    for (const { name, sql, columns } of views) {
      const view = tables.get(name);
      expect(view).toMatchObject({
        TableType: "VIRTUAL_VIEW",
        Parameters: { presto_view: "true", comment: "Presto View" },
        ViewExpandedText: "/* Presto View */",
      });
      const [, base64 = ""] = /^\/\* Presto View: ([A-Za-z0-9+/=]+) \*\/$/.exec(view?.ViewOriginalText ?? "") ?? [];
      const { originalSql, ...definition } = JSON.parse(Buffer.from(base64, "base64").toString("utf8"));
      expect(originalSql).toBe(sql);
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

  test("limits the data that a query may read, whatever the client says, and keeps results out of our buckets", () => {
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

  test("saves queries with the first account's name, because the table needs one", () => {
    const saved = resourcesOf(template, "AWS::Athena::NamedQuery").map(([, { Properties }]) => Properties);
    expect(saved.map(({ Name }) => Name)).toEqual(SAVED_QUERIES.map(({ name }) => name));
    for (const { QueryString } of saved) {
      expect(String(QueryString).match(/account = '[^']*'/g)).toEqual(["account = 'desk-2'"]);
    }
  });
});
