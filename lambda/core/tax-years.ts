/** A country's tax year for individuals: its dates and a default zone. No tax advice. */
export interface TaxYear {
  readonly code: string;
  readonly label: string;
  /** The default. No single zone is right for a country with several. */
  readonly zone: string;
  /** Month and day that the tax year begins with. */
  readonly begins: readonly [month: number, day: number];
}

/** Whether a period is a year of the United States: `us-2025`. */
export function isUnitedStates(period: string): boolean {
  return /^us-\d{4}/.test(period);
}

const JANUARY = [1, 1] as const;

/**
 * A tax year that lies in two calendar years is named for both, and a single year means the one that it ends
 * in. So do its authorities where they use a single year:
 * - uk: the law names two, "the tax year 2007-08 means the tax year beginning on 6 April 2007" (Income Tax
 *   Act 2007, s. 4(4)); HMRC's interfaces take `2023-24` and refuse `2023-25`. Its form of a single year is
 *   named for the end: SA100 "Tax Return (2024)" is for 2023-24.
 * - au: ATO, "Individual tax return instructions 2025": the return for 2024–25.
 * - nz: Inland Revenue's tax year is 1 April to 31 March; return software calls the one that ends on 31 March
 *   2025 the 2025 tax year.
 * - za: SARS, "Rates of Tax for Individuals": 2025 tax year (1 March 2024 – 28 February 2025).
 * - in: two years, financial year 2024-25 (from 2026-27 on "tax year"). The assessment year 2025-26 is
 *   another name of the same months.
 * - hk: two years, year of assessment 2024/25; no usage of a single one was found.
 *
 * A calendar year is the one of the income. Some authorities count by the year of assessment, the next one:
 * sg (Year of Assessment 2025 is 2024), be (aanslagjaar), br (exercício). No source was read for at, ie, nl,
 * es, it, pl, dk, fi, mx and il.
 */
export const TAX_YEARS: readonly TaxYear[] = [
  { code: "us", label: "United States", zone: "America/New_York", begins: JANUARY },
  { code: "uk", label: "United Kingdom", zone: "Europe/London", begins: [4, 6] },
  { code: "de", label: "Germany", zone: "Europe/Berlin", begins: JANUARY },
  { code: "fr", label: "France", zone: "Europe/Paris", begins: JANUARY },
  { code: "ch", label: "Switzerland", zone: "Europe/Zurich", begins: JANUARY },
  { code: "ca", label: "Canada", zone: "America/Toronto", begins: JANUARY },
  { code: "au", label: "Australia", zone: "Australia/Sydney", begins: [7, 1] },
  { code: "in", label: "India", zone: "Asia/Kolkata", begins: [4, 1] },
  { code: "jp", label: "Japan", zone: "Asia/Tokyo", begins: JANUARY },
  { code: "nz", label: "New Zealand", zone: "Pacific/Auckland", begins: [4, 1] },
  { code: "za", label: "South Africa", zone: "Africa/Johannesburg", begins: [3, 1] },
  { code: "hk", label: "Hong Kong", zone: "Asia/Hong_Kong", begins: [4, 1] },
  { code: "at", label: "Austria", zone: "Europe/Vienna", begins: JANUARY },
  { code: "ie", label: "Ireland", zone: "Europe/Dublin", begins: JANUARY },
  { code: "nl", label: "Netherlands", zone: "Europe/Amsterdam", begins: JANUARY },
  { code: "be", label: "Belgium", zone: "Europe/Brussels", begins: JANUARY },
  { code: "es", label: "Spain", zone: "Europe/Madrid", begins: JANUARY },
  { code: "pt", label: "Portugal", zone: "Europe/Lisbon", begins: JANUARY },
  { code: "it", label: "Italy", zone: "Europe/Rome", begins: JANUARY },
  { code: "pl", label: "Poland", zone: "Europe/Warsaw", begins: JANUARY },
  { code: "se", label: "Sweden", zone: "Europe/Stockholm", begins: JANUARY },
  { code: "no", label: "Norway", zone: "Europe/Oslo", begins: JANUARY },
  { code: "dk", label: "Denmark", zone: "Europe/Copenhagen", begins: JANUARY },
  { code: "fi", label: "Finland", zone: "Europe/Helsinki", begins: JANUARY },
  { code: "tr", label: "Turkey", zone: "Europe/Istanbul", begins: JANUARY },
  { code: "il", label: "Israel", zone: "Asia/Jerusalem", begins: JANUARY },
  { code: "ae", label: "United Arab Emirates", zone: "Asia/Dubai", begins: JANUARY },
  { code: "sg", label: "Singapore", zone: "Asia/Singapore", begins: JANUARY },
  { code: "kr", label: "South Korea", zone: "Asia/Seoul", begins: JANUARY },
  { code: "br", label: "Brazil", zone: "America/Sao_Paulo", begins: JANUARY },
  { code: "mx", label: "Mexico", zone: "America/Mexico_City", begins: JANUARY },
  { code: "calendar", label: "Calendar year", zone: "UTC", begins: JANUARY },
];

/** Whether each of its years lies in two calendar years. */
export function isSplit({ begins: [month, day] }: TaxYear): boolean {
  return month !== 1 || day !== 1;
}
