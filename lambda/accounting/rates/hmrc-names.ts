/*
 * Currencies by the names that HM Revenue & Customs gives them: the files for the years to March 2020 and to
 * December 2020, 2021 and 2022 have no codes. Each name has the code that the files for the years to March
 * 2021, 2022 and 2023 have beside the same name. Left out are those whose code would be a guess: Ecuador,
 * Liberia and Tonga (rates of another country's dollar), Cuba (two pesos), Sao Tome, Sierra Leone, Venezuela
 * and Zimbabwe (the currency was replaced, and the name stayed).
 */
const NAMES = `
  AED: Abu Dhabi, Dirham | Dubai, Dirham | UAE, Dirham
  ALL: Albania, Lek
  AMD: Armenia, Dram
  AOA: Angola, Readj Kwanza
  ARS: Argentina, Peso
  AUD: Australia, Dollar
  AWG: Aruba, Florin
  AZN: Azerbaijan, New Manat
  BAM: Bosnia- Herzegovinia, Marka
  BBD: Barbados, Dollar
  BDT: Bangladesh, Taka
  BGN: Bulgaria, Lev
  BHD: Bahrain, Dinar
  BIF: Burundi, Franc
  BMD: Bermuda, Dollar (US)
  BND: Brunei, Dollar
  BOB: Bolivia, Boliviano
  BRL: Brazil, Real
  BSD: Bahamas, Dollar
  BTN: Bhutan, Ngultrum
  BWP: Botswana, Pula
  BYN: Belarus, Rouble
  BZD: Belize, Dollar
  CAD: Canada, Dollar
  CDF: Congo (DemRep), Congo Fr
  CHF: Switzerland, Franc
  CLP: Chile, Peso
  CNY: China, Yuan
  COP: Colombia, Peso
  CRC: Costa Rica, Colon
  CVE: Cape Verde Islands, Escudo
  CZK: Czech Republic, Koruna
  DJF: Djibouti, Franc
  DKK: Denmark, Krone
  DOP: Dominican Republic, Peso
  DZD: Algeria, Dinar
  EGP: Egypt, Pound
  ERN: Eritrea, Nakfa
  ETB: Ethiopia, Birr
  EUR: Eurozone, Euro
  FJD: Fiji Islands, Dollar
  GEL: Georgia, Lari
  GHS: Ghana, Cedi
  GMD: Gambia, Dalasi
  GNF: Guinea Republic, Franc
  GTQ: Guatemala, Quetzal
  GYD: Guyana, Dollar
  HKD: Hong Kong, Dollar
  HNL: Honduras, Lempira
  HRK: Croatia, Kuna
  HTG: Haiti, Gourde
  HUF: Hungary, Forint
  IDR: Indonesia, Rupiah
  ILS: Israel, Shekel
  INR: India, Rupee
  IQD: Iraq, Dinar
  ISK: Iceland, Krona
  JMD: Jamaica, Dollar
  JOD: Jordan, Dinar
  JPY: Japan, Yen
  KES: Kenya, Schilling
  KGS: Kyrgyz Republic, Som
  KHR: Cambodia, Riel
  KMF: Comoros, Franc
  KRW: South Korea, Won
  KWD: Kuwait, Dinar
  KYD: Cayman Islands, Dollar
  KZT: Kazakhstan, Tenge
  LAK: Lao People's Dem Rep, Kip
  LBP: Lebanon, Pound
  LKR: Sri Lanka, Rupee
  LSL: Lesotho, Loti
  LYD: Libya, Dinar
  MAD: Morocco, Dirham
  MDL: Moldova, Leu
  MGA: Madagascar, Malagasy Ariary
  MKD: Macedonia, Denar
  MMK: Myanmar, Kyat
  MNT: Mongolia, Tugrik
  MOP: Macao, Pataca
  MRU: Mauritania, Ouguiya
  MUR: Mauritius, Rupee
  MVR: Maldive Islands, Rufiyaa
  MWK: Malawi, Kwacha
  MXN: Mexico, Mexican Peso
  MYR: Malaysia, Ringgit
  MZN: Mozambique, Metical
  NGN: Nigeria, Naira
  NIO: Nicaragua, Gold Cordoba
  NOK: Norway, Norwegian Krone
  NPR: Nepal, Rupee
  NZD: New Zealand, Dollar
  OMR: Oman, Rial
  PAB: Panama, Balboa
  PEN: Peru, New Sol
  PGK: Papua New Guinea, Kina
  PHP: Philippines, Peso
  PKR: Pakistan, Rupee
  PLN: Poland, Zloty
  PYG: Paraguay, Guarani
  QAR: Qatar, Riyal
  RON: Romania, New Leu
  RSD: Serbia, Dinar
  RUB: Russia, Rouble
  RWF: Rwanda, Franc
  SAR: Saudi Arabia, Riyal
  SBD: Soloman Islands, Dollar
  SCR: Seychelles, Rupee
  SDG: Sudan Republic, Pound
  SEK: Sweden, Krona
  SGD: Singapore, Dollar
  SOS: Somali Republic, Schilling
  SRD: Surinam, Dollar
  SVC: El Salvador, Colon
  SZL: Swaziland, Lilangeni
  THB: Thailand, Baht
  TMT: Turkmenistan, New Manat
  TND: Tunisia, Dinar
  TRY: Turkey, Turkish Lira
  TTD: Trinidad/Tobago, Dollar
  TWD: Taiwan, Dollar
  TZS: Tanzania, Schilling
  UAH: Ukraine, Hryvnia
  UGX: Uganda, Schilling
  USD: USA, Dollar
  UYU: Uruguay, Peso
  UZS: Uzbekistan, Sum
  VND: Vietnam, Dong
  VUV: Vanuatu, Vatu
  WST: Western Samoa, Tala
  XAF: Cameroon, CFA Franc | Central African Republic, CFA Franc | Chad, CFA Franc | Congo (Brazaville), CFA Franc | Equatorial Guinea, CFA Franc | Gabon, CFA Franc
  XCD: Antigua, E Caribbean Dollar | Dominica, E Caribbean Dollar | Grenada, E Caribbean Dollar | Montserrat, E Caribbean Dollar | St Christopher & Anguilla, E Caribbean Dollar | St Lucia, E Caribbean Dollar | St Vincent, E Caribbean Dollar
  XOF: Benin, CFA Franc | Burkina Faso, CFA Franc | Cote d'Ivoire, CFA Franc | Guinea Bissau, CFA Franc | Mali Republic, CFA Franc | Niger Republic, CFA Franc | Senegal, CFA Franc | Togo Republic, CFA Franc
  XPF: Fr. Polynesia, CFP Franc | New Caledonia, CFP Franc | Wallis & Futuna Islands, CFP Franc
  YER: Yemen (Rep of), Rial
  ZAR: South Africa, Rand
  ZMW: Zambia, Kwacha
`;

const CODES: ReadonlyMap<string, string> = new Map(
  NAMES.trim()
    .split("\n")
    .flatMap((line) => {
      const [code = "", names = ""] = line.trim().split(": ");
      return names.split(" | ").map((name): [string, string] => [name, code]);
    }),
);

/** Spaces around and within the names vary from file to file. */
export function nameOfCurrency(country: string, unit: string): string {
  return `${spaced(country)}, ${spaced(unit)}`;
}

/** Null: the name is unknown, or could mean several currencies. */
export function codeOfName(name: string): string | null {
  return CODES.get(name) ?? null;
}

function spaced(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
