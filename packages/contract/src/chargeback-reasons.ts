import type { ResultCode } from './result-codes.ts'
import { sepaRejectReasons } from './sepa-reject-reasons.ts'

/** A reason of a network or bank for a chargeback. */
export interface ChargebackReason {
  readonly resultCode: ResultCode
  readonly text: string
}

/** The networks with reasons of their own. */
export type DisputeNetwork = 'VISA' | 'MASTER' | 'AMEX' | 'DISCOVER' | 'SEPA'

const row = (resultCode: ResultCode, text: string): ChargebackReason => ({ resultCode, text })

const visa = {
  '10.1': row('000.100.220', 'Counterfeit of a chip card'),
  '10.2': row('000.100.220', 'Stolen or lost card with a chip, read without it'),
  '10.3': row('000.100.220', 'Other fraud with the card present'),
  '10.4': row('000.100.220', 'Other fraud with the card absent'),
  '10.5': row('000.100.220', 'Fraud found by the monitoring of the network'),
  '11.1': row('000.100.226', 'The card was on the list of blocked cards'),
  '11.2': row('000.100.230', 'The authorisation was declined'),
  '11.3': row('000.100.230', 'No authorisation, or a late one'),
  '12.1': row('000.100.226', 'Presented too late'),
  '12.2': row('000.100.229', 'Wrong kind of transaction'),
  '12.3': row('000.100.229', 'Wrong currency'),
  '12.4': row('000.100.201', 'Wrong account number'),
  '12.5': row('000.100.210', 'Wrong amount'),
  '12.6': row('000.100.224', 'Processed twice, or paid by other means'),
  '12.7': row('000.100.229', 'Wrong data in the authorisation'),
  '13.1': row('000.100.221', 'Goods or services were not received'),
  '13.2': row('000.100.205', 'Charged after a recurring agreement was cancelled'),
  '13.3': row('000.100.223', 'Not as described, or defective'),
  '13.4': row('000.100.223', 'Counterfeit goods'),
  '13.5': row('000.100.223', 'Misrepresented by the merchant'),
  '13.6': row('000.100.225', 'A promised credit was not processed'),
  '13.7': row('000.100.225', 'Goods or services were cancelled'),
  '13.8': row('000.100.225', 'A credit was not accepted'),
  '13.9': row('000.100.221', 'Cash was not received'),
} as const

const mastercard = {
  4807: row('000.100.226', 'The card was on the list of blocked cards'),
  4808: row('000.100.230', 'No valid authorisation'),
  4812: row('000.100.209', 'The account does not exist'),
  4831: row('000.100.210', 'The amount differs'),
  4834: row('000.100.224', 'Processed twice, or another error at the point of sale'),
  4837: row('000.100.220', 'Not authorised by the cardholder'),
  4840: row('000.100.220', 'Fraudulent processing by the merchant'),
  4841: row('000.100.205', 'Charged after a recurring agreement was cancelled'),
  4842: row('000.100.226', 'Presented too late'),
  4849: row('000.100.220', 'Questionable activity of the merchant'),
  4853: row('000.100.223', 'Goods or services disputed by the cardholder'),
  4855: row('000.100.221', 'Goods or services were not provided'),
  4859: row('000.100.223', 'Additional charge or no-show disputed'),
  4860: row('000.100.225', 'A promised credit was not processed'),
  4863: row('000.100.222', 'The cardholder does not recognise the transaction'),
  4870: row('000.100.220', 'Counterfeit of a chip card'),
  4871: row('000.100.220', 'Stolen or lost card with a chip, read without it'),
} as const

const amex = {
  A01: row('000.100.210', 'The amount exceeds the authorisation'),
  A02: row('000.100.230', 'No valid authorisation'),
  A08: row('000.100.230', 'The authorisation had expired'),
  C02: row('000.100.225', 'A promised credit was not processed'),
  C04: row('000.100.225', 'Goods were returned or refused'),
  C05: row('000.100.225', 'Goods or services were cancelled'),
  C08: row('000.100.221', 'Goods or services were not received'),
  C14: row('000.100.224', 'Paid by other means'),
  C18: row('000.100.223', 'A no-show, or a cancelled deposit'),
  C28: row('000.100.205', 'Charged after a recurring agreement was cancelled'),
  C31: row('000.100.223', 'Not as described'),
  F24: row('000.100.220', 'Not authorised by the cardholder'),
  F29: row('000.100.220', 'Fraud with the card absent'),
  P05: row('000.100.210', 'Wrong amount'),
  P08: row('000.100.224', 'Charged twice'),
} as const

const discover = {
  AA: row('000.100.222', 'The cardholder does not recognise the transaction'),
  AP: row('000.100.205', 'Charged after a recurring agreement was cancelled'),
  DP: row('000.100.224', 'Processed twice'),
  LP: row('000.100.226', 'Presented too late'),
  NF: row('000.100.221', 'Cash was not received'),
  RG: row('000.100.221', 'Goods or services were not received'),
  RM: row('000.100.223', 'Goods or services of another quality'),
  RN2: row('000.100.225', 'A promised credit was not processed'),
  UA02: row('000.100.220', 'Fraud with the card absent'),
} as const

/** Reasons of SEPA payments that occur only after settlement: refunds, recalls and reversals (pacs.004, pacs.007). */
const sepaAfterSettlement = {
  CUST: row('000.100.229', 'Requested by the customer'),
  DUPL: row('000.100.224', 'Duplicate payment'),
  FOCR: row('000.100.207', 'Returned after a request to cancel'),
  FRAD: row('000.100.220', 'Fraud'),
  MD06: row('000.100.206', 'An authorised debit, refunded to the debtor without a reason'),
  TECH: row('000.100.299', 'Technical problems'),
} as const

/** The reasons of each network by their codes, sorted. */
export const chargebackReasons: Readonly<Record<DisputeNetwork, Readonly<Record<string, ChargebackReason>>>> = {
  VISA: visa,
  MASTER: mastercard,
  AMEX: amex,
  DISCOVER: discover,
  SEPA: Object.fromEntries(
    [
      ...Object.entries(sepaRejectReasons).map(
        ([reason, { chargebackCode, text }]) => [reason, row(chargebackCode, text)] as const,
      ),
      ...Object.entries(sepaAfterSettlement),
    ].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
}

/** A reason that its network's table does not contain. */
export const unknownChargebackReason: Readonly<Record<DisputeNetwork | 'other', ChargebackReason>> = {
  VISA: row('000.100.200', 'Not specified'),
  MASTER: row('000.100.200', 'Not specified'),
  AMEX: row('000.100.200', 'Not specified'),
  DISCOVER: row('000.100.200', 'Not specified'),
  SEPA: row('000.100.299', 'Not specified'),
  other: row('000.100.200', 'Not specified'),
}

/** A dispute whose liability lies with the issuer, because the cardholder was authenticated. */
export const liabilityShifted: ChargebackReason = row('000.100.232', 'Disputed, but liability lies with the issuer')
