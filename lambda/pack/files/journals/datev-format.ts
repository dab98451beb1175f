/**
 * A posting batch (Buchungsstapel) in the DATEV format: header version 700, format category 21, format
 * version 13. By DATEV's own pages:
 *
 * https://developer.datev.de/datev/platform/de/dtvf/einstieg: separators, quotes, line breaks, the line of
 * headings https://developer.datev.de/datev/platform/de/dtvf/formate/header: the first line
 * https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel: the postings
 * https://developer.datev.de/datev/platform/en/dtvf/zeichensatz: Windows-1252, as DATEV's batch import
 * (KrStaPv) reads no Unicode
 */

export const EXTENSION = ".csv";
/** The import ignores a file without this prefix. */
export const PREFIX = "EXTF_";

const NEWLINE = "\r\n";
const SEPARATOR = ";";

/** All columns as in DATEV's sample file, with its spaces. Text is quoted. */
const COLUMNS = [
  'Umsatz (ohne Soll/Haben-Kz);"Soll/Haben-Kennzeichen";"WKZ Umsatz";Kurs;Basis-Umsatz;"WKZ Basis-Umsatz";Konto',
  'Gegenkonto (ohne BU-Schlüssel);"BU-Schlüssel";Belegdatum;"Belegfeld 1";"Belegfeld 2";Skonto;"Buchungstext"',
  'Postensperre;"Diverse Adressnummer";Geschäftspartnerbank;Sachverhalt;Zinssperre;"Beleglink"',
  ...numbered(8, (at) => `"Beleginfo - Art ${at}";"Beleginfo - Inhalt ${at}"`),
  '"KOST1 - Kostenstelle";"KOST2 - Kostenstelle";Kost-Menge;"EU-Land u. UStID (Bestimmung)"',
  'EU-Steuersatz (Bestimmung);"Abw. Versteuerungsart";Sachverhalt L+L;Funktionsergänzung L+L',
  "BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung",
  ...numbered(20, (at) => `"Zusatzinformation - Art ${at}";"Zusatzinformation- Inhalt ${at}"`),
  'Stück;Gewicht;Zahlweise;"Forderungsart";Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;"Auftragsnummer"',
  '"Buchungstyp";USt-Schlüssel (Anzahlungen);"EU-Land (Anzahlungen)";Sachverhalt L+L (Anzahlungen)',
  'EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);"Herkunft-Kz";"Buchungs GUID";KOST-Datum',
  '"SEPA-Mandatsreferenz";Skontosperre;"Gesellschaftername";Beteiligtennummer;"Identifikationsnummer"',
  '"Zeichnernummer";Postensperre bis;"Bezeichnung SoBil-Sachverhalt";Kennzeichen SoBil-Buchung;Festschreibung',
  'Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;"Generalumkehr (GU)";Steuersatz;"Land"',
  '"Abrechnungsreferenz";BVV-Position;"EU-Land u. UStID (Ursprung)";EU-Steuersatz (Ursprung);Abw. Skontokonto',
]
  .join(SEPARATOR)
  .split(SEPARATOR)
  .map((heading) => ({ name: heading.replaceAll('"', ""), empty: heading.startsWith('"') ? '""' : "" }));

function numbered(count: number, columns: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => columns(at + 1));
}

/** The first line of a batch. Dates are `2025-03-31`. */
export interface Batch {
  readonly consultant: string;
  readonly client: string;
  /** The first day of the business year. Postings do not name a year. */
  readonly yearBegins: string;
  readonly accountLength: string;
  readonly firstDay: string;
  readonly lastDay: string;
  /** At most 30 letters, digits and `_./ `. */
  readonly label: string;
  readonly currency: string;
}

export interface Posting {
  /** Positive, with two places: `6.25`. */
  readonly amount: string;
  readonly account: string;
  /** True: the amount is a debit (Soll) of `account`. */
  readonly isDebit: boolean;
  readonly contraAccount: string;
  readonly currency: string;
  /** `2025-03-31` */
  readonly day: string;
  /** Belegfeld 1: at most 36 letters, digits and `_$&%*+-/`. */
  readonly number: string;
  /** At most 60 characters. */
  readonly text: string;
}

export function batchText(batch: Batch, postings: readonly Posting[]): string {
  const headings = COLUMNS.map(({ name }) => name).join(SEPARATOR);
  return [headerLine(batch), headings, ...postings.map(postingLine), ""].join(NEWLINE);
}

function headerLine(batch: Batch): string {
  const lastDay = digits(batch.lastDay);
  return [
    quoted("EXTF"), // 1
    "700",
    "21",
    quoted("Buchungsstapel"),
    "13",
    `${lastDay}000000000`, // 6, when the batch was made: of the period, so that a pack that is made again has the same bytes
    "",
    quoted("FB"), // 8, origin
    quoted("fillbook"),
    quoted(""),
    batch.consultant, // 11
    batch.client,
    digits(batch.yearBegins),
    batch.accountLength,
    digits(batch.firstDay), // 15
    lastDay,
    quoted(batch.label),
    quoted(""),
    "1", // 19, financial accounting
    "0", // 20, for all purposes
    NOT_LOCKED, // 21
    quoted(batch.currency),
    "", // 23, reserved, as all that follow but the chart of accounts, the solution of a trade, and a note of the program
    quoted(""),
    "",
    "",
    quoted(""), // 27
    "",
    "",
    quoted(""),
    quoted(""), // 31
  ].join(SEPARATOR);
}

/** The bookkeeper may still change the postings. An empty field would lock them. */
const NOT_LOCKED = "0";

function postingLine({ amount, account, isDebit, contraAccount, currency, day, number, text }: Posting): string {
  const fields: Readonly<Record<string, string>> = {
    "Umsatz (ohne Soll/Haben-Kz)": amount.replace(".", ","),
    "Soll/Haben-Kennzeichen": quoted(isDebit ? "S" : "H"),
    "WKZ Umsatz": quoted(currency),
    Konto: account,
    "Gegenkonto (ohne BU-Schlüssel)": contraAccount,
    Belegdatum: day.slice(8) + day.slice(5, 7),
    "Belegfeld 1": quoted(number),
    Buchungstext: quoted(text),
    Festschreibung: NOT_LOCKED,
  };
  return COLUMNS.map(({ name, empty }) => fields[name] ?? empty).join(SEPARATOR);
}

function digits(day: string): string {
  return day.replaceAll("-", "");
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
