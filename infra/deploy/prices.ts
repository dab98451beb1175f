import { Decimal } from "decimal.js";

/**
 * List prices of us-east-1 in US dollars, without free tier, discount or tax. Sources: AWS's price pages
 * (https://aws.amazon.com/NAME/pricing/) and pages that quote them. They were not compared with a bill. Other
 * regions cost up to a quarter more.
 */
export const PRICES_AS_OF = "November 2026";

const of = (usd: string): Decimal => new Decimal(usd);
/** The price pages quote the price of a thousand or of a million. */
const thousandth = (usd: string): Decimal => of(usd).dividedBy(1000);
const millionth = (usd: string): Decimal => of(usd).dividedBy(1_000_000);

export const PRICES = {
  computed: of("0.0000133334"), // lambda: GB-second on ARM64
  invocation: millionth("0.20"), // lambda
  taskCpu: of("0.03238"), // fargate: vCPU-hour on ARM64, Linux
  taskMemory: of("0.00356"), // fargate: GB-hour on ARM64, Linux
  address: of("0.005"), // vpc: public IPv4 address, hour
  transition: thousandth("0.025"), // step-functions: Standard
  stored: of("0.023"), // s3: GB-month, Standard
  written: thousandth("0.005"), // s3: PUT or LIST
  read: thousandth("0.0004"), // s3: GET
  secret: of("0.40"), // secrets-manager: month
  secretRead: thousandth("0.005"), // secrets-manager: call
  key: of("1"), // kms: month
  alarm: of("0.10"), // cloudwatch: metric in an alarm, month
  metric: of("0.30"), // cloudwatch: custom metric, month
  dashboard: of("3"), // cloudwatch: month
  logged: of("0.50"), // cloudwatch: GB taken in
  logKept: of("0.03"), // cloudwatch: GB-month of logs
  pageUser: of("0.015"), // cognito: user who signed in, month, Essentials
  apiRequest: millionth("1.00"), // api-gateway: request to an HTTP API
  edgeRequest: millionth("1.00"), // cloudfront: HTTPS request
  edgeFunction: millionth("0.10"), // cloudfront: call of a function
  scanned: of("5"), // athena: TB read
} as const;
