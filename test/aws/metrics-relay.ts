import { PutMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import type { Clients } from "./cloud.ts";
import type { LogLine } from "./runs.ts";

interface Directive {
  readonly Namespace: string;
  readonly Metrics: readonly { readonly Name: string }[];
}

/**
 * Puts the figures of lines in the embedded metric format into CloudWatch, as CloudWatch Logs does by itself and the emulator does not.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export async function relayMetrics(clients: Clients, lines: readonly LogLine[]): Promise<number> {
  let count = 0;
  for (const line of lines) {
    const { _aws: meta } = line as { readonly _aws?: { readonly CloudWatchMetrics: readonly Directive[] } };
    for (const { Namespace, Metrics } of meta?.CloudWatchMetrics ?? []) {
      const data = Metrics.map(({ Name }) => ({ MetricName: Name, Value: Number(line[Name]) }));
      await clients.watch.send(new PutMetricDataCommand({ Namespace, MetricData: data }));
      count += data.length;
    }
  }
  return count;
}
