import { expect, test } from "vitest";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { importsOf } from "./files.ts";
import { READERS } from "./readers.ts";

// In the format of the tools' samples, to the byte.

const { texts } = importsOf(booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21")));

const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  "koinly.csv": [
    "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Tag,Description,TxHash",
    "2025-03-01 10:00:00,,,10.00,USDT,,,,,realized gain,BTC-USDT profits of 2025-03-01 (1 fill),",
    "2025-03-01 10:00:00,4.00,USDT,,,,,,,realized gain,BTC-USDT losses of 2025-03-01 (1 fill),",
    "2025-03-01 10:00:00,0.64,USDT,,,,,,,futures fee,BTC-USDT fees less rebates of 2025-03-01 (3 fills),",
  ],
  "cointracking.csv": [
    '"Type","Buy Amount","Buy Currency","Sell Amount","Sell Currency","Fee","Fee Currency","Exchange","Trade-Group","Comment","Date"',
    '"Derivatives / Futures Profit","10.00","USDT","","","","","fillbook main","BTC-USDT","profits of 2025-03-01 (1 fill)","2025-03-01 10:00:00"',
    '"Derivatives / Futures Loss","","","4.00","USDT","","","fillbook main","BTC-USDT","losses of 2025-03-01 (1 fill)","2025-03-01 10:00:00"',
    '"Margin Fee","","","0.64","USDT","","","fillbook main","BTC-USDT","fees less rebates of 2025-03-01 (3 fills)","2025-03-01 10:00:00"',
  ],
  "summ.csv": [
    "Timestamp (UTC),Type,Base Currency,Base Amount,Quote Currency (Optional),Quote Amount (Optional),Fee Currency (Optional),Fee Amount (Optional),From (Optional),To (Optional),Blockchain (Optional),ID (Optional),Description (Optional),Reference Price Per Unit (Optional),Reference Price Currency (Optional)",
    "2025-03-01 10:00:00,realized-profit,USDT,10.00,,,,,,,,daily/2025-03-01/BTC-USDT/USDT/profit,BTC-USDT profits of 2025-03-01 (1 fill),,",
    "2025-03-01 10:00:00,realized-loss,USDT,4.00,,,,,,,,daily/2025-03-01/BTC-USDT/USDT/loss,BTC-USDT losses of 2025-03-01 (1 fill),,",
    "2025-03-01 10:00:00,margin-fee,USDT,0.64,,,,,,,,daily/2025-03-01/BTC-USDT/USDT/fee,BTC-USDT fees less rebates of 2025-03-01 (3 fills),,",
  ],
  "cointracker.csv": [
    "Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,Tag",
    "03/01/2025 10:00:00,10.00,USDT,,,,,margin gain",
    "03/01/2025 10:00:00,,,4.00,USDT,,,margin loss",
    "03/01/2025 10:00:00,,,0.64,USDT,,,margin fee",
  ],
  "bittytax.csv": [
    "Type,Buy Quantity,Buy Asset,Buy Value in GBP,Sell Quantity,Sell Asset,Sell Value in GBP,Fee Quantity,Fee Asset,Fee Value in GBP,Wallet,Timestamp,Note",
    "Margin-Gain,10.00,USDT,,,,,,,,fillbook main,2025-03-01T10:00:00.000Z,BTC-USDT",
    "Margin-Loss,,,,4.00,USDT,,,,,fillbook main,2025-03-01T10:00:00.000Z,BTC-USDT",
    "Margin-Fee,,,,0.64,USDT,,,,,fillbook main,2025-03-01T10:00:00.000Z,BTC-USDT",
  ],
  "blockpit.xlsx": [
    "Date (UTC),Integration Name,Label,Outgoing Asset,Outgoing Amount,Incoming Asset,Incoming Amount,Fee Asset (optional),Fee Amount (optional),Comment (optional),Trx. ID (optional)",
    "01.03.2025 10:00:00,fillbook main,Derivative Profit,,,USDT,10.00,,,BTC-USDT profits of 2025-03-01 (1 fill),daily/2025-03-01/BTC-USDT/USDT/profit",
    "01.03.2025 10:00:00,fillbook main,Derivative Loss,USDT,4.00,,,,,BTC-USDT losses of 2025-03-01 (1 fill),daily/2025-03-01/BTC-USDT/USDT/loss",
    "01.03.2025 10:00:00,fillbook main,Derivative Fee,USDT,0.64,,,,,BTC-USDT fees less rebates of 2025-03-01 (3 fills),daily/2025-03-01/BTC-USDT/USDT/fee",
  ],
  "rotki.csv": [
    "Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp",
    "Income,external,USDT,10.00,,,BTC-USDT profits of 2025-03-01 (1 fill),1740823200000",
    "Loss,external,USDT,4.00,,,BTC-USDT losses of 2025-03-01 (1 fill),1740823200000",
    "Loss,external,USDT,0.64,,,BTC-USDT fees less rebates of 2025-03-01 (3 fills),1740823200000",
  ],
};

test("each file has lines here, and a reader", () => {
  const files = [...texts.keys()].toSorted();
  expect(Object.keys(SAMPLES).toSorted()).toEqual(files);
  expect(READERS.map(({ file }) => file).toSorted()).toEqual(files);
});

test.each(Object.entries(SAMPLES))("%s has these lines", (file, lines) => {
  expect(texts.get(file)).toBe(`${lines.join("\r\n")}\r\n`);
});

test("a period without fills gives only the headers", () => {
  const empty = importsOf(booksOf([]));
  for (const [file, [header]] of Object.entries(SAMPLES)) {
    expect(empty.texts.get(file)).toBe(`${header}\r\n`);
    expect(empty.rows.get(file)).toBe(0);
  }
  expect(empty.totals).toEqual([]);
});
