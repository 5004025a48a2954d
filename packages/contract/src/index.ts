/**
 * The wire contract as data: every request parameter, response field, code and name that merchants rely on, and the
 * small interpreters that read those tables. No dependency, no I/O; runs in Node and in a browser.
 */
export { Secret } from './secret.ts'
export {
  describeResult,
  isResultCode,
  outcomeOf,
  type ResultCode,
  type ResultCodeRow,
  type ResultGroup,
  type ResultOutcome,
  resultCodes,
  resultGroups,
} from './result-codes.ts'
export { type Currency, type CurrencyCode, currencies, isCurrency } from './currencies.ts'
export { type Country, type CountryCode, countries, isCountry } from './countries.ts'
export type { Format, Need, Row, SecretKind, Section, StringSchema, Surface } from './row.ts'
export { sections } from './sections.ts'
