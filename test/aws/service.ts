import { createEmulator, type Emulator } from "../emulator/core.ts";
import type { History } from "../emulator/history.ts";
import { startEmulator } from "../emulator/server.ts";

export type Service = Awaited<ReturnType<typeof openService>>;

export interface Book {
  readonly emulator: Emulator;
  /** The token that the service accepts at first. */
  readonly token: string;
  /** Replaces the accepted token. */
  accept(token: string): void;
}

/**
 * The trading service with several accounts at one address. The token decides which account's fills it shows.
 */
export async function openService(histories: Readonly<Record<string, History>>) {
  const running = await startEmulator({ tokens: [] });
  const accounts = Object.entries(histories).map(([account, history]) => {
    const token = tokenOf(account, 1);
    return [account, { emulator: createEmulator({ history, tokens: [token] }), accepted: token, token }] as const;
  });
  const { handle } = running.emulator;
  running.emulator.handle = (request, nowMs) => {
    const asked = accounts.find(([, { accepted }]) => request.headers["authorization"] === `Bearer ${accepted}`);
    return (asked?.[1].emulator.handle ?? handle)(request, nowMs);
  };
  const bookOf = (state: { readonly emulator: Emulator; readonly token: string; accepted: string }): Book => ({
    emulator: state.emulator,
    token: state.token,
    accept(token) {
      state.accepted = token;
      state.emulator.setTokens([token]);
    },
  });
  return {
    accountUrl: running.accountUrl,
    marketDataUrl: running.marketDataUrl,
    /** Resolves at the `count`-th request from now on, of any account. */
    requested: running.requested,
    /** By the account's name. */
    books: new Map(accounts.map(([account, state]) => [account, bookOf(state)])),
    close: () => running.close(),
  };
}

/** Has the form of a JWT; each issue gives a different token. */
export function tokenOf(account: string, issue: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ sub: account, issue })}.${part("signed")}`;
}
