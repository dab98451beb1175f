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
    "Rebates, and funding received, have the tag realized gain: Koinly has no tag for a futures fee that is received. In other gains they stand against the futures fees.",
  advice: [
    "Import it into a wallet of its own, as a file of Koinly's universal template.",
    "Koinly skips a row that equals one which it has or once had (deleted ones too), and rows before the lock date.",
    "Deposits and withdrawals have no tag: Koinly matches each with the other side in another of your wallets; one without counts as bought or sold at market price.",
    "Its rows go to other gains, or to capital gains by a setting of Koinly.",
  ],
  status:
    "columns, the tag realized gain and which tags a deposit can have: Koinly's help pages; the exact header line and the lower-case tags futures fee and funding fee: programs of others that write the file; whether rows in USD may carry these tags: unverified.",
};
