import { type Given, oneOf, wrong } from "./given.ts";

export interface PageSettings {
  /** The page's domain; null: CloudFront's own name. */
  readonly domain: PageDomain | null;
}

export interface PageDomain {
  /** A host name: `books.example.com`. */
  readonly name: string;
  /** ARN of the domain's certificate. */
  readonly certificate: string;
}

/** Throws an Error that names the setting, its value and what is accepted. */
export function pageSettings(given: Given, givenDomain: Given, givenCertificate: Given): PageSettings | null {
  const isOn = oneOf(given, ["on", "off"]) === "on";
  const domain = pageDomain(givenDomain, givenCertificate);
  return isOn ? { domain } : null;
}

const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

function pageDomain(name: Given, certificate: Given): PageDomain | null {
  if (name.text === "" && certificate.text === "") {
    return null;
  }
  if (!HOST_NAME.test(name.text)) {
    throw wrong(name, "a host name in lower case, such as books.example.com, given together with pageCertificate");
  }
  if (!/^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(certificate.text)) {
    throw wrong(certificate, "the ARN of an ACM certificate for pageDomain in us-east-1, where CloudFront needs it");
  }
  return { name: name.text, certificate: certificate.text };
}
