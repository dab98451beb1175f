import { Decimal } from "decimal.js";

/**
 * List prices of us-east-1, US dollars, without any free tier, discount or tax. As AWS's price pages and others that quote them had them; nobody
 * has compared them with a bill. Other regions cost up to a quarter more.
 */
export const PRICES_AS_OF = "November 2026";

export interface Price {
  readonly usd: Decimal;
  /** What one of it is. */
  readonly unit: string;
  readonly source: string;
}

const page = (name: string): string => `https://aws.amazon.com/${name}/pricing/`;

function price(usd: string, unit: string, source: string): Price {
  return { usd: new Decimal(usd), unit, source };
}

/** For so many of them: pages quote a thousand or a million. */
function priceOfMany(usd: string, many: number, unit: string, source: string): Price {
  return { usd: new Decimal(usd).dividedBy(many), unit, source };
}

const THOUSAND = 1000;
const MILLION = 1_000_000;

export const PRICES = {
  computed: price("0.0000133334", "GB-second on ARM64", page("lambda")),
  invocation: priceOfMany("0.20", MILLION, "invocation", page("lambda")),
  transition: priceOfMany("0.025", THOUSAND, "state transition, Standard", page("step-functions")),
  stored: price("0.023", "GB-month, S3 Standard", page("s3")),
  written: priceOfMany("0.005", THOUSAND, "PUT or LIST", page("s3")),
  read: priceOfMany("0.0004", THOUSAND, "GET", page("s3")),
  secret: price("0.40", "secret-month", page("secrets-manager")),
  secretRead: priceOfMany("0.05", 10 * THOUSAND, "call", page("secrets-manager")),
  key: price("1", "key-month", page("kms")),
  alarm: price("0.10", "metric in an alarm, month", page("cloudwatch")),
  metric: price("0.30", "custom metric, month", page("cloudwatch")),
  dashboard: price("3", "dashboard-month", page("cloudwatch")),
  logged: price("0.50", "GB taken in", page("cloudwatch")),
  logKept: price("0.03", "GB-month of logs", page("cloudwatch")),
  pageUser: price("0.015", "user who signed in, month, Cognito Essentials", page("cognito")),
  apiRequest: priceOfMany("1.00", MILLION, "request to an HTTP API", page("api-gateway")),
  edgeRequest: priceOfMany("0.01", 10 * THOUSAND, "HTTPS request to CloudFront", page("cloudfront")),
  edgeFunction: priceOfMany("0.10", MILLION, "call of a CloudFront function", page("cloudfront")),
  scanned: price("5", "TB read by Athena", page("athena")),
} as const satisfies Readonly<Record<string, Price>>;
