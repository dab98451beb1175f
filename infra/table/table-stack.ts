import { Stack } from "aws-cdk-lib";
import { CfnNamedQuery, CfnWorkGroup } from "aws-cdk-lib/aws-athena";
import { CfnDatabase, CfnTable } from "aws-cdk-lib/aws-glue";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { storeUri } from "../data/data-stack.ts";
import type { Names } from "../names.ts";
import { FILLS_COLUMNS, type GlueType, PARTITION_COLUMNS, type TableColumn } from "./columns.ts";
import { SAVED_QUERIES, sqlFor, sqlOf, VIEWS, type View } from "./queries.ts";

export interface TableStackProps {
  readonly archive: { readonly bucket: Pick<IBucket, "bucketName"> };
  /** Before every key of the archive, without slashes at its ends. */
  readonly prefix: string;
  readonly names: Pick<Names, "database" | "workGroup">;
  /** The saved queries are of the first. */
  readonly accounts: readonly string[];
  /** Most that one query may read, in 10^9 bytes. */
  readonly queryLimitGb: number;
}

const TABLE = "fills";

/** As of lambda/core/beginning.ts, BEGINNING_MS: before it no account has fills. */
const FIRST_MONTH = "2015-01";
const BYTES_PER_GB = 1_000_000_000;

/**
 * The archives of all accounts as one table of Athena, with views and saved queries. It holds no data: deleting it loses nothing but what people have
 * saved in the work group. Readers see the data files that the lists under `<account>/table/` name (lambda/archive/data-file-lists.ts), and no others.
 */
export class TableStack extends Stack {
  constructor(scope: Construct, id: string, { archive, prefix, names, accounts, queryLimitGb }: TableStackProps) {
    super(scope, id, { description: "fillbook: the archives as a table" });
    const { database: databaseName, workGroup: workGroupName } = names;
    const database = new CfnDatabase(this, "Database", {
      catalogId: this.account,
      databaseName,
      databaseInput: { name: databaseName, description: "fillbook: the fills of all accounts" },
    });
    const table = new CfnTable(this, "Fills", {
      catalogId: this.account,
      databaseName,
      tableInput: fillsTable(storeUri(archive.bucket, prefix)),
    });
    table.addResourceDependency(database);
    for (const view of VIEWS) {
      const { name } = view;
      new CfnTable(this, `View-${name}`, {
        catalogId: this.account,
        databaseName,
        tableInput: viewTable(view, databaseName),
      }).addResourceDependency(table);
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

  /** Its limit is enforced: what a client asks for instead is ignored. Results are kept by Athena for a day, encrypted, in no bucket of ours. */
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

/**
 * A table over symlink lists: each list holds the URIs of Parquet files, as those of S3 Inventory do
 * (docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-athena-query.html). No partition is registered: Athena projects them, and
 * must be told the account, because it cannot list them (docs.aws.amazon.com/athena/latest/ug/partition-projection-supported-types.html, injected).
 */
function fillsTable(root: string): CfnTable.TableInputProperty {
  return {
    name: TABLE,
    description: "The fills that the current manifests name, each once. Every query must say account = '...'.",
    tableType: "EXTERNAL_TABLE",
    partitionKeys: [...PARTITION_COLUMNS],
    parameters: {
      EXTERNAL: "TRUE",
      "projection.enabled": "true",
      "projection.account.type": "injected",
      "projection.month.type": "date",
      "projection.month.format": "yyyy-MM",
      "projection.month.range": `${FIRST_MONTH},NOW`,
      "projection.month.interval": "1",
      "projection.month.interval.unit": "MONTHS",
      "storage.location.template": `${root}/\${account}/table/month=\${month}/`,
    },
    storageDescriptor: {
      columns: [...FILLS_COLUMNS],
      location: `${root}/`,
      inputFormat: "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat",
      outputFormat: "org.apache.hadoop.hive.ql.io.IgnoreKeyTextOutputFormat",
      serdeInfo: { serializationLibrary: "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe" },
    },
  };
}

/** Glue's types that Trino calls otherwise. */
const TRINO_TYPES: Partial<Readonly<Record<GlueType, string>>> = { string: "varchar", timestamp: "timestamp(3)" };

/** A view as Athena itself writes it: the definition is JSON in base64, in what stands for the view's text. */
function viewTable({ name, description, file, columns }: View, schema: string): CfnTable.TableInputProperty {
  const definition = {
    originalSql: sqlOf(file),
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
