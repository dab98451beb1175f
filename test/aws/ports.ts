import { once } from "node:events";
import { createServer } from "node:net";

const TRIES = 50;

/** Ports of loopback in a row that nobody listens on at this moment. */
export async function freePorts(count: number): Promise<readonly number[]> {
  for (let tried = 0; tried < TRIES; tried++) {
    const first = await listenOnce(0);
    const others = Array.from({ length: count - 1 }, (_, index) => (first ?? 0) + 1 + index);
    const found: (number | null)[] = [first];
    for (const port of others) {
      found.push(await listenOnce(port));
    }
    if (!found.includes(null)) {
      return found.filter((port) => port !== null);
    }
  }
  throw new Error(`no ${count} free ports in a row`);
}

/** Null when it is taken. 0: any. */
async function listenOnce(port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return null;
  }
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : null;
}
