import type { ResultCode } from './result-codes.ts'
import { isKeyOf } from './is-key-of.ts'

/** A bank's reason to reject a direct debit or credit transfer before execution, or to return it afterwards. */
export interface SepaRejectReason {
  /** The result code of a payment that is rejected before its settlement. */
  readonly resultCode: ResultCode
  /** The result code of the chargeback of a payment that is returned after its settlement. */
  readonly chargebackCode: ResultCode
  readonly text: string
}

const row = (resultCode: ResultCode, chargebackCode: ResultCode, text: string): SepaRejectReason => ({
  resultCode,
  chargebackCode,
  text,
})

/** The reasons for which a SEPA payment is rejected before its settlement (ISO 20022 external codes, pain.002). */
const table = {
  AC01: row('800.100.201', '000.100.201', 'Wrong account identifier'),
  AC04: row('800.100.202', '000.100.202', 'Account closed'),
  AC06: row('800.100.172', '000.100.208', 'Account blocked, or blocked for direct debits'),
  AC13: row('800.100.208', '000.100.229', 'The debtor’s account is a consumer’s'),
  AG01: row('800.100.208', '000.100.229', 'Transaction forbidden on this kind of account'),
  AG02: row('800.100.190', '000.100.227', 'Wrong transaction code'),
  AM04: row('800.100.203', '000.100.203', 'Not enough funds'),
  AM05: row('800.110.100', '000.100.224', 'Duplicate collection'),
  BE04: row('800.100.156', '000.100.229', 'The creditor’s address is missing'),
  BE05: row('100.500.303', '000.100.227', 'Creditor identifier not recognised'),
  CNOR: row('800.100.199', '000.100.227', 'The creditor’s bank is not registered under this BIC'),
  DNOR: row('800.100.199', '000.100.201', 'The debtor’s bank is not registered under this BIC'),
  DT01: row('100.500.301', '000.100.299', 'Date not valid'),
  ED05: row('900.100.200', '000.100.207', 'Settlement failed'),
  FF01: row('800.100.156', '000.100.299', 'File format not valid'),
  FF05: row('800.100.156', '000.100.299', 'Wrong local instrument or scheme'),
  MD01: row('800.100.204', '000.100.204', 'No valid mandate'),
  MD02: row('100.500.304', '000.100.204', 'Data of the mandate missing or wrong'),
  MD07: row('800.100.202', '000.100.202', 'The debtor is deceased'),
  MS02: row('800.100.200', '000.100.206', 'Refused by the debtor, no reason given'),
  MS03: row('800.100.200', '000.100.200', 'Refused by the bank, no reason given'),
  RC01: row('800.100.201', '000.100.201', 'Wrong BIC'),
  RR01: row('800.100.156', '000.100.229', 'Regulation: the debtor’s account or identification is missing'),
  RR02: row('800.100.156', '000.100.229', 'Regulation: the debtor’s name or address is missing'),
  RR03: row('800.100.156', '000.100.229', 'Regulation: the creditor’s name or address is missing'),
  RR04: row('800.100.170', '000.100.207', 'Regulation'),
  SL01: row('800.100.208', '000.100.208', 'Refused by a service of the debtor’s bank, such as a list of creditors'),
} as const

/** A reason by its four characters, such as AM04. */
export type SepaRejectReasonCode = keyof typeof table

/** The reasons by their code, sorted. */
export const sepaRejectReasons: Readonly<Record<SepaRejectReasonCode, SepaRejectReason>> = table

/** Whether `code` is a known reason. */
export const isSepaRejectReason = isKeyOf(sepaRejectReasons)
