import type { ResultCode } from './result-codes.ts'
import { isKeyOf } from './is-key-of.ts'

/**
 * The issuer's advice after a decline: correct the data, retry later, never retry; info is only a fact about the card.
 */
export type AdviceClass = 'fix' | 'retry' | 'never' | 'info'

/** One merchant advice code. */
export interface MerchantAdvice {
  readonly class: AdviceClass
  readonly text: string
  /** The result code for attempts against the advice. */
  readonly blockCode?: ResultCode
  /** How long attempts are refused. If absent: until the account data change, or for ever with class `never`. */
  readonly blockedHours?: number
}

/** The merchant advice codes (contract: `resultDetails.MerchantAdviceCode`, two digits), sorted. */
const table = {
  '01': { class: 'fix', text: 'New account data, or authentication needed', blockCode: '700.601.001' },
  '02': { class: 'retry', text: 'Cannot approve now', blockCode: '700.600.002', blockedHours: 72 },
  '03': { class: 'never', text: 'Do not try again', blockCode: '700.601.003', blockedHours: 720 },
  '04': { class: 'info', text: 'Token requirements not fulfilled' },
  '21': { class: 'never', text: 'Recurring agreement cancelled', blockCode: '700.601.021' },
  '22': { class: 'fix', text: 'Merchant does not qualify for the product code', blockCode: '700.601.022' },
  '24': { class: 'retry', text: 'Retry after 1 hour', blockCode: '700.600.024', blockedHours: 1 },
  '25': { class: 'retry', text: 'Retry after 24 hours', blockCode: '700.600.025', blockedHours: 24 },
  '26': { class: 'retry', text: 'Retry after 2 days', blockCode: '700.600.026', blockedHours: 48 },
  '27': { class: 'retry', text: 'Retry after 4 days', blockCode: '700.600.027', blockedHours: 96 },
  '28': { class: 'retry', text: 'Retry after 6 days', blockCode: '700.600.028', blockedHours: 144 },
  '29': { class: 'retry', text: 'Retry after 8 days', blockCode: '700.600.029', blockedHours: 192 },
  '30': { class: 'retry', text: 'Retry after 10 days', blockCode: '700.600.030', blockedHours: 240 },
  '40': { class: 'info', text: 'Prepaid card of a consumer, not reloadable' },
  '41': { class: 'info', text: 'Virtual card of a consumer, for one use' },
  '42': { class: 'info', text: 'Sanctions score exceeded' },
  '43': { class: 'info', text: 'Virtual card of a consumer, for several uses' },
} as const satisfies Readonly<Record<string, MerchantAdvice>>

/** A merchant advice code, such as `03`. */
export type MerchantAdviceCode = keyof typeof table

/** The merchant advice codes by their two digits. */
export const merchantAdviceCodes: Readonly<Record<MerchantAdviceCode, MerchantAdvice>> = table

/** Whether `code` is a known merchant advice code. */
export const isMerchantAdviceCode = isKeyOf(merchantAdviceCodes)
