import { createServer } from "node:http";
import { listen } from "../../support/loopback.ts";
import { AccountFile } from "./account-file.ts";

/** `page-server.ts DIR`: the account's completed orders on loopback, and nothing else of the service; its address is the first line of stdout. */
const account = new AccountFile(process.argv[2] ?? "");

const server = createServer((incoming, outgoing) => {
  const query = new URL(incoming.url ?? "/", "http://127.0.0.1").searchParams;
  const [startDate, endDate, start] = [query.get("startDate"), query.get("endDate"), query.get("start")];
  const body = account.body({
    ...(startDate === null ? {} : { startDate: Number(startDate) }),
    ...(endDate === null ? {} : { endDate: Number(endDate) }),
    ...(start === null ? {} : { start }),
  });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  outgoing.writeHead(200, headers).end(body);
});
process.stdout.write(`${await listen(server)}\n`);
