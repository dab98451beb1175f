import { isReceived } from "./cash.ts";
import { dashedSeconds, sides, type Tool, type Words } from "./tool.ts";

/** Of the deposit tags in Koinly's help, only one counts as a gain. A received fee has no other. */
const TAGS: Words = {
  profit: "realized gain",
  loss: "realized gain",
  fee: "futures fee",
  rebate: "realized gain",
  fundingReceived: "realized gain",
  fundingPaid: "funding fee",
  deposit: "",
  withdrawal: "",
};

/** The universal template. */
export const KOINLY: Tool = {
  name: "Koinly",
  file: "koinly.csv",
  words: TAGS,
  columns: [
    "Date",
    "Sent Amount",
    "Sent Currency",
    "Received Amount",
    "Received Currency",
    "Fee Amount",
    "Fee Currency",
    "Net Worth Amount",
    "Net Worth Currency",
    "Tag",
    "Description",
    "TxHash",
  ],
  line: (movement, date) => {
    const { received, sent } = sides(movement);
    return `${date},${sent},${received},,,,,${TAGS[movement.kind]},${movement.description},`;
  },
  date: dashedSeconds,
  unitMs: 1000,
  likeness: ({ kind, digits, symbol }) => `${isReceived(kind)} ${digits} ${symbol}`,
  rebates:
    "Rebates and funding received have the tag realized gain, because Koinly has no tag for a futures fee that is received. In other gains, they offset the futures fees.",
  advice: [
    "Import it into a separate wallet, as a file in Koinly's universal format.",
    "Koinly skips rows that equal a row it has or once had, including deleted rows, and rows before the lock date.",
    "Deposits and withdrawals have no tag. Koinly matches each with the other side in another of your wallets. If it finds none, it treats the amount as bought or sold at market price.",
    "Koinly reports the rows as other gains or, depending on a setting, as capital gains.",
  ],
  status:
    "Koinly's help pages describe the columns, the tag realized gain and the tags that a deposit can have. The exact header line and the lower-case tags futures fee and funding fee are from other programs that write this file. Not verified: whether rows in USD can have these tags.",
};
