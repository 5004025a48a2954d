import { type CurrencyCode, isCurrency } from '@tollgate/contract'
import type { Value } from './value-kinds.ts'

/** Currency for kinds of values that need none. */
export const NO_CURRENCY: CurrencyCode = 'EUR'

/** The currency that a field states, for the amounts that follow. */
export const currencyIn = (value: Value | undefined): CurrencyCode =>
  typeof value === 'string' && isCurrency(value) ? value : NO_CURRENCY
