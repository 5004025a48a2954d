/** Number of characters of an IBAN by country (ISO 13616-1; SWIFT's IBAN registry). */
const lengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 ' +
    'YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** The country and validity of an account number. */
export interface Iban {
  /** The first two letters, upper case. */
  readonly country: string
  /** Whether the country has IBANs. */
  readonly isIbanCountry: boolean
  /** Whether the length is that of the country's IBANs and the check digits are right. */
  readonly isValid: boolean
}

/** Two letters, two digits and the shortest national account number. */
const lengthMin = 15

/**
 * Parses an account number as an IBAN. Only its country becomes a string.
 *
 * @param characters ASCII letters, upper or lower case, and digits
 * @returns undefined for a national account number, which lacks the form of an IBAN
 */
export function readIban(characters: Uint8Array): Iban | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = characters
  const hasIbanForm =
    characters.length >= lengthMin && isLetter(first) && isLetter(second) && isDigit(third) && isDigit(fourth)
  if (!hasIbanForm) return undefined
  const country = String.fromCharCode(first, second).toUpperCase()
  const length = lengths.get(country)
  return {
    country,
    isIbanCountry: length !== undefined,
    isValid: length === characters.length && hasCheckDigits(characters),
  }
}

/**
 * Whether the check digits are valid (ISO 7064, MOD 97-10): with the first four characters moved to the end, the
 * remainder is 1.
 */
export function hasCheckDigits(characters: Uint8Array): boolean {
  const checkDigits = valueOf(characters[2]) * 10 + valueOf(characters[3])
  // Assigned check digits are 02 to 98; 00, 01 and 99 have the same remainders as 97, 98 and 02.
  if (checkDigits < 2 || checkDigits > 98) return false
  let remainder = 0
  for (let index = 0; index < characters.length; index += 1) {
    const value = valueOf(characters[(index + 4) % characters.length])
    if (value < 0) return false
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/** The bit in which lower case differs from upper case. */
const CASE = 0x20

const isLetter = (byte: number): boolean => (byte & ~CASE) >= 0x41 && (byte & ~CASE) <= 0x5a

/** 0 to 9 for digits, 10 to 35 for letters, -1 for other characters. */
function valueOf(byte = 0): number {
  if (isDigit(byte)) return byte - 0x30
  return isLetter(byte) ? (byte & ~CASE) - 0x41 + 10 : -1
}
