import type { PageAnswer, ServiceReader } from "../../lambda/service/service.ts";

/** A client that loses the second row of every page that has one: what a simulation must not fail to see. */
export function dropRow(reader: ServiceReader): ServiceReader {
  return {
    ...reader,
    counts: reader.counts,
    async completedOrders(request, signal): Promise<PageAnswer> {
      const answer = await reader.completedOrders(request, signal);
      return answer.kind === "page" ? { ...answer, rows: answer.rows.filter((_, index) => index !== 1) } : answer;
    },
  };
}
