import { Stack } from "aws-cdk-lib";
import { CfnTable } from "aws-cdk-lib/aws-glue";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { storeUri } from "../data/data-stack.ts";
import { DELTA_COLUMNS } from "./columns.ts";
import { accountTable } from "./queries.ts";

export interface AccountTablesProps {
  readonly archive: { readonly bucket: Pick<IBucket, "bucketName"> };
  /** The beginning of every key of the archive, without slashes at either end. */
  readonly prefix: string;
  /** The Glue database of the table stack. */
  readonly database: string;
  readonly accounts: readonly string[];
}

/** The archives of some accounts, each as a Delta table in Athena. The tables hold no data. */
export class AccountTablesStack extends Stack {
  constructor(scope: Construct, id: string, { archive, prefix, database, accounts }: AccountTablesProps) {
    super(scope, id, { description: "fillbook: one table for each archive" });
    for (const account of accounts) {
      new CfnTable(this, `Fills-${account}`, {
        catalogId: this.account,
        databaseName: database,
        tableInput: deltaTable(account, `${storeUri(archive.bucket, prefix)}/${account}/fills/`),
      });
    }
  }
}

/**
 * Athena reads columns and files from the Delta log at the location
 * (docs.aws.amazon.com/athena/latest/ug/delta-lake-tables.html). The columns here are only for people who
 * read them in Glue. Spark uses the provider, other engines the serde's path.
 */
function deltaTable(account: string, location: string): CfnTable.TableInputProperty {
  return {
    name: accountTable(account),
    description: `fillbook: the fills of account ${account}, each once`,
    tableType: "EXTERNAL_TABLE",
    parameters: { EXTERNAL: "TRUE", table_type: "DELTA", "spark.sql.sources.provider": "delta" },
    storageDescriptor: {
      columns: [...DELTA_COLUMNS],
      location,
      inputFormat: "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
      outputFormat: "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
      serdeInfo: {
        serializationLibrary: "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
        parameters: { path: location },
      },
    },
  };
}
