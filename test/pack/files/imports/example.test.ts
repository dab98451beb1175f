import { expect, test } from "vitest";
import { booksOf, fillsFrom } from "../../../accounting/make.ts";
import { importsOf } from "./files.ts";

// The samples from the tools' sources, to the byte. Rows that a shorter sample leaves out follow its pattern.

const { texts } = importsOf(booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21")));

const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  "koinly.csv": [
    "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Tag,Description,TxHash",
    "2025-03-01 12:00:00,0.10,USDT,,,,,,,futures fee,BTC-USDT fee of buy 1 @ 100,",
    "2025-03-01 13:00:00,,,10.00,USDT,,,,,realized gain,BTC-USDT close long 1 @ 110,",
    "2025-03-01 13:00:00,0.33,USDT,,,,,,,futures fee,BTC-USDT fee of sell 3 @ 110,",
    "2025-03-01 14:00:00,4.00,USDT,,,,,,,realized gain,BTC-USDT close short 2 @ 112,",
    "2025-03-01 14:00:00,0.21,USDT,,,,,,,futures fee,BTC-USDT fee of buy 2 @ 112,",
  ],
  "cointracking.csv": [
    '"Type","Buy Amount","Buy Currency","Sell Amount","Sell Currency","Fee","Fee Currency","Exchange","Trade-Group","Comment","Date"',
    '"Margin Fee","","","0.10","USDT","","","fillbook main","BTC-USDT","fee of buy 1 @ 100","2025-03-01 12:00:00"',
    '"Derivatives / Futures Profit","10.00","USDT","","","","","fillbook main","BTC-USDT","close long 1 @ 110","2025-03-01 13:00:00"',
    '"Margin Fee","","","0.33","USDT","","","fillbook main","BTC-USDT","fee of sell 3 @ 110","2025-03-01 13:00:00"',
    '"Derivatives / Futures Loss","","","4.00","USDT","","","fillbook main","BTC-USDT","close short 2 @ 112","2025-03-01 14:00:00"',
    '"Margin Fee","","","0.21","USDT","","","fillbook main","BTC-USDT","fee of buy 2 @ 112","2025-03-01 14:00:00"',
  ],
  "summ.csv": [
    "Timestamp (UTC),Type,Base Currency,Base Amount,Quote Currency (Optional),Quote Amount (Optional),Fee Currency (Optional),Fee Amount (Optional),From (Optional),To (Optional),Blockchain (Optional),ID (Optional),Description (Optional),Reference Price Per Unit (Optional),Reference Price Currency (Optional)",
    "2025-03-01 12:00:00,margin-fee,USDT,0.10,,,,,,,,M1/O1/fee,BTC-USDT fee of buy 1 @ 100,,",
    "2025-03-01 13:00:00,realized-profit,USDT,10.00,,,,,,,,M2/O2/pnl,BTC-USDT close long 1 @ 110,,",
    "2025-03-01 13:00:00,margin-fee,USDT,0.33,,,,,,,,M2/O2/fee,BTC-USDT fee of sell 3 @ 110,,",
    "2025-03-01 14:00:00,realized-loss,USDT,4.00,,,,,,,,M3/O3/pnl,BTC-USDT close short 2 @ 112,,",
    "2025-03-01 14:00:00,margin-fee,USDT,0.21,,,,,,,,M3/O3/fee,BTC-USDT fee of buy 2 @ 112,,",
  ],
  "cointracker.csv": [
    "Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,Tag",
    "03/01/2025 12:00:00,,,0.10,USDT,,,margin fee",
    "03/01/2025 13:00:00,10.00,USDT,,,,,margin gain",
    "03/01/2025 13:00:00,,,0.33,USDT,,,margin fee",
    "03/01/2025 14:00:00,,,4.00,USDT,,,margin loss",
    "03/01/2025 14:00:00,,,0.21,USDT,,,margin fee",
  ],
  "bittytax.csv": [
    "Type,Buy Quantity,Buy Asset,Buy Value in GBP,Sell Quantity,Sell Asset,Sell Value in GBP,Fee Quantity,Fee Asset,Fee Value in GBP,Wallet,Timestamp,Note",
    "Margin-Fee,,,,0.10,USDT,,,,,fillbook main,2025-03-01T12:00:00.000Z,BTC-USDT",
    "Margin-Gain,10.00,USDT,,,,,,,,fillbook main,2025-03-01T13:00:00.000Z,BTC-USDT",
    "Margin-Fee,,,,0.33,USDT,,,,,fillbook main,2025-03-01T13:00:00.000Z,BTC-USDT",
    "Margin-Loss,,,,4.00,USDT,,,,,fillbook main,2025-03-01T14:00:00.000Z,BTC-USDT",
    "Margin-Fee,,,,0.21,USDT,,,,,fillbook main,2025-03-01T14:00:00.000Z,BTC-USDT",
  ],
  // For these two, the reference gives the header and the words, but no sample.
  "blockpit.csv": [
    "Date (UTC),Integration Name,Label,Outgoing Asset,Outgoing Amount,Incoming Asset,Incoming Amount,Fee Asset (optional),Fee Amount (optional),Comment (optional),Trx. ID (optional)",
    "01.03.2025 12:00:00,fillbook main,Derivative Fee,USDT,0.10,,,,,BTC-USDT fee of buy 1 @ 100,M1/O1/fee",
    "01.03.2025 13:00:00,fillbook main,Derivative Profit,,,USDT,10.00,,,BTC-USDT close long 1 @ 110,M2/O2/pnl",
    "01.03.2025 13:00:00,fillbook main,Derivative Fee,USDT,0.33,,,,,BTC-USDT fee of sell 3 @ 110,M2/O2/fee",
    "01.03.2025 14:00:00,fillbook main,Derivative Loss,USDT,4.00,,,,,BTC-USDT close short 2 @ 112,M3/O3/pnl",
    "01.03.2025 14:00:00,fillbook main,Derivative Fee,USDT,0.21,,,,,BTC-USDT fee of buy 2 @ 112,M3/O3/fee",
  ],
  "rotki.csv": [
    "Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp",
    "Loss,external,USDT,0.10,,,BTC-USDT fee of buy 1 @ 100,1740830400000",
    "Income,external,USDT,10.00,,,BTC-USDT close long 1 @ 110,1740834000000",
    "Loss,external,USDT,0.33,,,BTC-USDT fee of sell 3 @ 110,1740834000000",
    "Loss,external,USDT,4.00,,,BTC-USDT close short 2 @ 112,1740837600000",
    "Loss,external,USDT,0.21,,,BTC-USDT fee of buy 2 @ 112,1740837600000",
  ],
};

test.each(Object.entries(SAMPLES))("%s equals the reference's sample", (file, lines) => {
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
