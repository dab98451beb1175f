import type { PageAnswer, ServiceReader } from "../../../lambda/service/service.ts";
import type { Sabotage } from "./scenario.ts";

/** What a simulation must not fail to see, in the client. */
export function sabotaged(reader: ServiceReader, sabotage: Sabotage | null): ServiceReader {
  switch (sabotage) {
    case "drop-row":
      return dropRow(reader);
    case "ask-more":
      return askMore(reader);
    default:
      return reader;
  }
}

function dropRow(reader: ServiceReader): ServiceReader {
  return {
    ...reader,
    counts: reader.counts,
    async completedOrders(request, signal): Promise<PageAnswer> {
      const answer = await reader.completedOrders(request, signal);
      return answer.kind === "page" ? { ...answer, rows: answer.rows.filter((_, index) => index !== 1) } : answer;
    },
  };
}

function askMore(reader: ServiceReader): ServiceReader {
  return {
    ...reader,
    counts: reader.counts,
    async completedOrders(request, signal): Promise<PageAnswer> {
      for (let more = 4; more > 0; more -= 1) {
        await reader.completedOrders(request, signal);
      }
      return await reader.completedOrders(request, signal);
    },
  };
}
