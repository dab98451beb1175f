/**
 * The DATEV format as DATEV's developer portal describes it, October 2026: heading and expression of each
 * field. The first nine posting fields, the first five header fields and the samples were read on DATEV's
 * pages, the rest in transcriptions by others:
 *
 * https://developer.datev.de/datev/platform/de/dtvf/formate/header
 * https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel
 *
 * The portal writes `^[]$` for an empty field, which JavaScript cannot parse; here it is `^$`.
 */

export interface Field {
  readonly heading: string;
  readonly expression: RegExp;
}

const DATE = "^([2])([0])([0-9]{2})(0[1-9]|1[0-2])(0[1-9]|[1-2][0-9]|3[0-1])$";
const DAY = String.raw`^((0[1-9]|[1-2]\d|3[0-1])(0[1-9]|1[0-2])([2])([0])(\d{2}))$`;

export const HEADER = fieldsOf(String.raw`
  Kennzeichen            ^["](EXTF|DTVF)["]$
  Versionsnummer         ^(700)$
  Formatkategorie        ^(16|20|21|46|48|65)$
  Formatname             ^["](Buchungsstapel|Wiederkehrende Buchungen|Debitoren/Kreditoren|Kontenbeschriftungen|Zahlungsbedingungen|Diverse Adressen)["]$
  Formatversion          ^(2|4|5|13)$
  Erzeugt am             ^([2])([0])([0-9]{2})(0[1-9]|1[0-2])(0[1-9]|[1-2][0-9]|3[0-1])(2[0-3]|[01][0-9])([0-5][0-9])([0-5][0-9][0-9][0-9][0-9])$
  Importiert             ^$
  Herkunft               ^["]\w{0,2}["]$
  Exportiert von         ^["]\w{0,25}["]$
  Importiert von         ^["]\w{0,25}["]$
  Beraternummer          ^(\d{4,6}|\d{7})$
  Mandantennummer        ^\d{1,5}$
  WJ-Beginn              ${DATE}
  Sachkontenlänge        ^[4-8]$
  Datum von              ${DATE}
  Datum bis              ${DATE}
  Bezeichnung            ^["][\w.-/ ]{0,30}["]$
  Diktatkürzel           ^["]([A-Z]{2}){0,2}["]$
  Buchungstyp            ^[1-2]$
  Rechnungslegungszweck  ^(0|30|40|50|64)$
  Festschreibung         ^(0|1)$
  WKZ                    ^["]([A-Z]{3})["]$
  Reserviert             ^$
  Derivatskennzeichen    ^["]["]$
  Reserviert             ^$
  Reserviert             ^$
  Sachkontenrahmen       ^["](\d{2}){0,2}["]$
  ID der Branchenlösung  ^\d{0,4}$
  Reserviert             ^$
  Reserviert             ^["]["]$
  Anwendungsinformation  ^["].{0,16}["]$`);

/**
 * The headings as in DATEV's sample file. The page has no expression for `WKZ Basis-Umsatz`; the sample
 * quotes it.
 */
export const POSTING = fieldsOf(String.raw`
  Umsatz (ohne Soll/Haben-Kz)     ^(?!0{1,10}\,00)\d{1,10}\,\d{2}$
  Soll/Haben-Kennzeichen          ^["](S|H)["]$
  WKZ Umsatz                      ^["]([A-Z]{3})["]$
  Kurs                            ^([1-9]\d{0,3}[,]\d{2,6})$
  Basis-Umsatz                    ^(?!0{1,10}\,00)\d{1,10}\,\d{2}$
  WKZ Basis-Umsatz                ^["].*["]$
  Konto                           ^(?!0{1,9}$)(\d{1,9})$
  Gegenkonto (ohne BU-Schlüssel)  ^(?!0{1,9}$)(\d{1,9})$
  BU-Schlüssel                    ^(["]\d{4}["])$
  Belegdatum                      ^(\d{4})$
  Belegfeld 1                     ^(["][\w$&%*+\-\/]{0,36}["])$
  Belegfeld 2                     ^(["][\w$&%*+\-\/]{0,36}["])$
  Skonto                          ^([1-9]\d{0,7}[,]\d{2})$
  Buchungstext                    ^(["].{0,60}["])$
  Postensperre                    ^(0|1)$
  Diverse Adressnummer            ^(["]\w{0,9}["])$
  Geschäftspartnerbank            ^(\d{3})$
  Sachverhalt                     ^(\d{2})$
  Zinssperre                      ^(0|1)$
  Beleglink                       ^["].{0,210}["]$
  ${pairs(8, "Beleginfo - Art", "Beleginfo - Inhalt")}
  KOST1 - Kostenstelle            ^(["][\w ]{0,36}["])$
  KOST2 - Kostenstelle            ^(["][\w ]{0,36}["])$
  Kost-Menge                      ^\d{12}[,]\d{4}$
  EU-Land u. UStID (Bestimmung)   ^(["].{0,15}["])$
  EU-Steuersatz (Bestimmung)      ^\d{2}[,]\d{2}$
  Abw. Versteuerungsart           ^(["](I|K|P|S)["])$
  Sachverhalt L+L                 ^(\d{1,3})$
  Funktionsergänzung L+L          ^\d{0,3}$
  BU 49 Hauptfunktionstyp         ^\d$
  BU 49 Hauptfunktionsnummer      ^\d{0,2}$
  BU 49 Funktionsergänzung        ^\d{0,3}$
  ${pairs(20, "Zusatzinformation - Art", "Zusatzinformation- Inhalt")}
  Stück                           ^\d{0,8}$
  Gewicht                         ^(\d{1,8}[,]\d{2})$
  Zahlweise                       ^\d{0,2}$
  Forderungsart                   ^(["]\w{0,10}["])$
  Veranlagungsjahr                ^(([2])([0])([0-9]{2}))$
  Zugeordnete Fälligkeit          ^((0[1-9]|[1-2][0-9]|3[0-1])(0[1-9]|1[0-2])([2])([0])([0-9]{2}))$
  Skontotyp                       ^\d$
  Auftragsnummer                  ^(["].{0,30}["])$
  Buchungstyp                     ^(["][A-Z]{2}["])$
  USt-Schlüssel (Anzahlungen)     ^\d{0,4}$
  EU-Land (Anzahlungen)           ^(["][A-Z]{2}["])$
  Sachverhalt L+L (Anzahlungen)   ^\d{0,3}$
  EU-Steuersatz (Anzahlungen)     ^(\d{1,2}[,]\d{2})$
  Erlöskonto (Anzahlungen)        ^(\d{4,8})$
  Herkunft-Kz                     ^(["][A-Z]{2}["])$
  Buchungs GUID                   ^(["].{0,36}["])$
  KOST-Datum                      ${DAY}
  SEPA-Mandatsreferenz            ^(["].{0,35}["])$
  Skontosperre                    ^[0|1]$
  Gesellschaftername              ^(["].{0,76}["])$
  Beteiligtennummer               ^(\d{4})$
  Identifikationsnummer           ^(["].{0,11}["])$
  Zeichnernummer                  ^(["].{0,20}["])$
  Postensperre bis                ${DAY}
  Bezeichnung SoBil-Sachverhalt   ^(["].{0,30}["])$
  Kennzeichen SoBil-Buchung       ^(\d{1,2})$
  Festschreibung                  ^(0|1)$
  Leistungsdatum                  ${DAY}
  Datum Zuord. Steuerperiode      ${DAY}
  Fälligkeit                      ${DAY}
  Generalumkehr (GU)              ^(["](0|1)["])$
  Steuersatz                      ^(\d{1,2}[,]\d{2})$
  Land                            ^(["][A-Z]{2}["])$
  Abrechnungsreferenz             ^(["].{0,50}["])$
  BVV-Position                    ^([1|2|3|4|5])$
  EU-Land u. UStID (Ursprung)     ^(["].{0,15}["])$
  EU-Steuersatz (Ursprung)        ^\d{2}[,]\d{2}$
  Abw. Skontokonto                ^(\d{1,9})$`);

function pairs(count: number, kind: string, content: string): string {
  return Array.from(
    { length: count },
    (_, at) => `${kind} ${at + 1}  ^(["].{0,20}["])$
      ${content} ${at + 1}  ^(["].{0,210}["])$`,
  ).join("\n");
}

/** A heading, two or more spaces, an expression. */
function fieldsOf(table: string): readonly Field[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const { heading = "", expression = "" } = /^\s*(?<heading>.+?) {2,}(?<expression>\^.*)$/.exec(line)?.groups ?? {};
      return { heading, expression: new RegExp(expression) };
    });
}
