/*
 * Runs in CloudFront at every request but those for static files, before anything else: turns the session's cookie into the header that the API's
 * authorizer reads, and leads who has no session to where they get one. It decides where to lead, never who may: what it lets through has its token
 * checked by the authorizer.
 *
 * For the runtime cloudfront-js-2.0: ES 5.1 with const, let, arrow functions and template literals; no for-of, destructuring, spread, optional
 * chaining or classes. At most 10 kB.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */

const SESSION = "__Host-fillbook";
/** Cognito's have some 1,000, and 60 more for each group; browsers keep no longer ones. */
const MAX_TOKEN_LENGTH = 4096;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** A token that ends on its way to the authorizer, or by another clock, would get a bare refusal there in place of another token. */
const MARGIN_MS = 10_000;
const PUBLIC = /^\/(?:sign-in|signed-in|signed-out|static\/[\w-]+(?:\.[\w-]+)*)$/;
/** From the root of this origin: not `//host` or `/\host`, which browsers take for another. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x7e]*$/;
const MAX_PATH_LENGTH = 1024;

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  const request = event.request;
  const token = tokenIn(request.cookies);
  // biome-ignore lint/performance/noDelete: a header that is there without a value is refused
  delete request.headers.authorization;
  // Once, as a header, is enough, and not at all where it is not read: the API takes 10,240 bytes of all headers together.
  delete request.cookies[SESSION];
  if (PUBLIC.test(request.uri)) {
    return request;
  }
  if (expiryOf(token) <= Date.now() + MARGIN_MS) {
    return isNavigation(request) ? leadToSignIn(request) : refused();
  }
  request.headers.authorization = { value: `Bearer ${token}` };
  return request;
}

/** Empty where there is none. */
function tokenIn(cookies) {
  const cookie = cookies[SESSION];
  const value = cookie === undefined ? "" : cookie.value;
  return value.length <= MAX_TOKEN_LENGTH && TOKEN.test(value) ? value : "";
}

/** As the token itself says, ms since 1970; 0 where it says nothing. */
function expiryOf(token) {
  try {
    const exp = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString()).exp;
    return typeof exp === "number" ? exp * 1000 : 0;
    // biome-ignore lint/complexity/noUselessCatchBinding: the runtime knows no catch without one
  } catch (_) {
    return 0;
  }
}

/** Somebody's wish to be here, not a page's script that asks. */
function isNavigation(request) {
  const mode = request.headers["sec-fetch-mode"];
  return mode === undefined || mode.value === "navigate";
}

/** What is sent to be done is sent there by the browser with all that it holds, and goes on from there once there is another token. */
function leadToSignIn(request) {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const headers = { location: { value: `/sign-in?to=${encodeURIComponent(pathOf(request))}` } };
  return answer(isRead ? 302 : 307, isRead ? "Found" : "Temporary Redirect", headers);
}

function refused() {
  const response = answer(401, "Unauthorized", { "content-type": { value: "text/plain; charset=utf-8" } });
  response.body = { encoding: "text", data: "Not signed in any more: load the page again.\n" };
  return response;
}

/** With its query; what cannot be led back to is the beginning. */
function pathOf(request) {
  const query = queryOf(request.querystring);
  const path = query === "" ? request.uri : `${request.uri}?${query}`;
  return path.length <= MAX_PATH_LENGTH && OWN_PATH.test(path) ? path : "/";
}

/** CloudFront gives names and values as they came, still encoded. */
function queryOf(querystring) {
  return Object.keys(querystring)
    .map((name) => {
      const given = querystring[name];
      const all = given.multiValue === undefined ? [given] : given.multiValue;
      return all.map((one) => `${name}=${one.value}`).join("&");
    })
    .join("&");
}

/** With the headers that every answer bears: those of the distribution are for what comes from the API. */
function answer(status, description, all) {
  all["cache-control"] = { value: "no-store" };
  all["content-security-policy"] = {
    value: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  };
  all["strict-transport-security"] = { value: "max-age=31536000; includeSubDomains" };
  all["x-content-type-options"] = { value: "nosniff" };
  all["referrer-policy"] = { value: "no-referrer" };
  return { statusCode: status, statusDescription: description, headers: all };
}
