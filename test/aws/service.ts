import { createEmulator } from "../emulator/core.ts";
import type { History } from "../emulator/history.ts";
import { startEmulator } from "../emulator/server.ts";

export type Service = Awaited<ReturnType<typeof openService>>;

/**
 * The trading service with several accounts at one address. The token decides which account's fills it shows.
 */
export async function openService(histories: Readonly<Record<string, History>>) {
  const running = await startEmulator({ tokens: [] });
  /** By the account's name. `token`: the first one. `accept` replaces the accepted one. */
  const books = new Map(
    Object.entries(histories).map(([account, history]) => {
      const token = tokenOf(account, 1);
      const emulator = createEmulator({ history, tokens: [token] });
      const book = {
        ...{ emulator, token, accepted: token },
        accept(next: string): void {
          book.accepted = next;
          emulator.setTokens([next]);
        },
      };
      return [account, book] as const;
    }),
  );
  const { handle } = running.emulator;
  running.emulator.handle = (request, nowMs) => {
    const { authorization } = request.headers;
    const asked = [...books.values()].find(({ accepted }) => authorization === `Bearer ${accepted}`);
    return (asked?.emulator.handle ?? handle)(request, nowMs);
  };
  const { accountUrl, marketDataUrl, requested } = running;
  return { accountUrl, marketDataUrl, requested, books, close: () => running.close() };
}

/** Has the form of a JWT; each issue gives a different token. */
export function tokenOf(account: string, issue: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ sub: account, issue })}.${part("signed")}`;
}
