import { Stack } from "aws-cdk-lib";
import { CfnNamedQuery, CfnWorkGroup } from "aws-cdk-lib/aws-athena";
import { CfnDatabase, CfnTable } from "aws-cdk-lib/aws-glue";
import type { Construct } from "constructs";
import type { Names } from "../names.ts";
import type { GlueType, TableColumn } from "./columns.ts";
import { SAVED_QUERIES, sqlFor, type View, viewsOf } from "./queries.ts";

export interface TableStackProps {
  readonly names: Pick<Names, "database" | "workGroup">;
  /** The saved queries name the first one. */
  readonly accounts: readonly string[];
  /** The most that one query may read, in 10^9 bytes. */
  readonly queryLimitGb: number;
}

const BYTES_PER_GB = 1_000_000_000;

/**
 * The archives of all accounts in Athena: a database, views over the accounts' tables
 * (account-tables-stack.ts), and saved queries. It holds no data: deleting it loses only the queries that
 * people saved in the work group.
 */
export class TableStack extends Stack {
  constructor(scope: Construct, id: string, { names, accounts, queryLimitGb }: TableStackProps) {
    super(scope, id, { description: "fillbook: the archives as a table" });
    const { database: databaseName, workGroup: workGroupName } = names;
    const database = new CfnDatabase(this, "Database", {
      catalogId: this.account,
      databaseName,
      databaseInput: { name: databaseName, description: "fillbook: the fills of all accounts" },
    });
    for (const view of viewsOf(accounts)) {
      new CfnTable(this, `View-${view.name}`, {
        catalogId: this.account,
        databaseName,
        tableInput: viewTable(view, databaseName),
      }).addResourceDependency(database);
    }
    const workGroup = this.#workGroup(workGroupName, queryLimitGb * BYTES_PER_GB);
    const [account = ""] = accounts;
    for (const { name, description, file } of SAVED_QUERIES) {
      new CfnNamedQuery(this, `Query-${name}`, {
        name,
        description,
        database: databaseName,
        queryString: sqlFor(account, file),
        workGroup: workGroup.ref,
      });
    }
  }

  /**
   * The group enforces its limit: it ignores a client's own settings. Athena keeps the results for a day,
   * encrypted, outside our buckets.
   */
  #workGroup(name: string, bytesScannedCutoffPerQuery: number): CfnWorkGroup {
    return new CfnWorkGroup(this, "WorkGroup", {
      name,
      description: "fillbook: queries of the archives",
      state: "ENABLED",
      recursiveDeleteOption: true, // queries that were asked or saved would hold it otherwise, and with it a table that nobody keeps up to date
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        bytesScannedCutoffPerQuery,
        engineVersion: { selectedEngineVersion: "Athena engine version 3" },
        managedQueryResultsConfiguration: { enabled: true },
        publishCloudWatchMetricsEnabled: true,
        requesterPaysEnabled: false,
      },
    });
  }
}

/** The types whose names differ between Glue and Trino. */
const TRINO_TYPES: Partial<Readonly<Record<GlueType, string>>> = { string: "varchar", timestamp: "timestamp(3)" };

/**
 * A view in the form that Athena writes itself: the definition is JSON in base64, in the field of the view's
 * text.
 */
function viewTable({ name, description, sql, columns }: View, schema: string): CfnTable.TableInputProperty {
  const definition = {
    originalSql: sql,
    catalog: "awsdatacatalog",
    schema,
    columns: columns.map((column: TableColumn) => ({
      name: column.name,
      type: TRINO_TYPES[column.type] ?? column.type,
    })),
  };
  return {
    name,
    description,
    tableType: "VIRTUAL_VIEW",
    parameters: { presto_view: "true", comment: "Presto View" },
    partitionKeys: [],
    storageDescriptor: { columns: [...columns], serdeInfo: {} },
    viewOriginalText: `/* Presto View: ${Buffer.from(JSON.stringify(definition)).toString("base64")} */`,
    viewExpandedText: "/* Presto View */",
  };
}
