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
  advice:
    "Use a separate wallet and Koinly's universal format. Koinly skips rows that equal a row it has or once had, and rows before the lock date.",
};
