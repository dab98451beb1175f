import { FillbookError } from "../core/errors.ts";

/**
 * Checks an address of the service: https, or http on this machine, with an optional path.
 * @throws FillbookError `usage` that names the option.
 */
export function checkAddress(address: string, option: string): URL {
  const url = URL.parse(address);
  const problem = url === null ? "is not an address" : addressProblem(url);
  if (url === null || problem !== null) {
    throw new FillbookError("usage", `${option} ${problem}`, { hint: `write ${option} https://host.example.com` });
  }
  return url;
}

function addressProblem(url: URL): string | null {
  if (url.username !== "" || url.password !== "") {
    return "contains a user name or a password; the token has its own setting";
  }
  if (url.search !== "" || url.hash !== "") {
    return "contains a ? or a #; give only the host and, if needed, a path";
  }
  if (url.protocol === "http:") {
    return isLoopback(url.hostname) ? null : `is http to ${url.hostname}: only https leaves this machine`;
  }
  return url.protocol === "https:" ? null : `begins with ${url.protocol} and not with https:`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
