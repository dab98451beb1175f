import { isReceived } from "./cash.ts";
import { dashedSeconds, sides, type Tool, type Words } from "./tool.ts";

const TAGS: Words = {
  profit: "realized gain",
  loss: "realized gain",
  fee: "futures fee",
  rebate: "futures fee",
  fundingReceived: "funding fee",
  fundingPaid: "funding fee",
  deposit: "",
  withdrawal: "",
};

/** The universal template. */
export const KOINLY: Tool = {
  name: "Koinly",
  file: "koinly.csv",
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
  advice: [
    "Import it into a wallet of its own, as a file of Koinly's universal template.",
    "Koinly skips a row that equals one which it has or once had (deleted ones too), and rows before the lock date.",
    "Deposits and withdrawals have no tag: Koinly matches each with the other side in another of your wallets; one without counts as bought or sold at market price.",
    "Its rows go to other gains, or to capital gains by a setting of Koinly.",
  ],
  status:
    "columns and the tag realized gain: Koinly's help pages; the exact header line and the lower-case tags futures fee and funding fee: programs of others that write the file; whether rows in USD may carry these tags: unverified.",
};
