import { writeFileSync } from "node:fs";
import type { CompletedOrder } from "../../emulator/wire.ts";

// A ten-line solution from the interface document. It keeps its fills in OUT, one JSON array per line.

const { SERVICE_URL, SERVICE_TOKEN, OUT = "" } = process.env;
const fills: CompletedOrder[] = [];
let start: string | undefined;
do {
  const url = new URL("/api/v1/completed-orders", SERVICE_URL);
  if (start !== undefined) {
    url.searchParams.set("start", start);
  }
  const response = await fetch(url, { headers: { authorization: `Bearer ${SERVICE_TOKEN}` } });
  if (!response.ok) {
    throw new Error(`the service answered ${response.status}`);
  }
  const page = (await response.json()) as { completedOrders: CompletedOrder[]; last?: string };
  fills.push(...page.completedOrders);
  start = page.last;
} while (start);

const lines = fills.map(({ matchId, orderId, txCreated, price, quantity, fees }) =>
  JSON.stringify([matchId, orderId, String(txCreated), price, quantity, fees]),
);
writeFileSync(OUT, `${lines.join("\n")}\n`);
