import type { Session } from '../acs/sessions.ts'
import { makeCavv } from '../cavv.ts'

/** The authentication value of a status; undefined for all statuses other than Y and A. */
export const authenticationValueOf = (
  { areq, acsTransID, amount }: Pick<Session, 'areq' | 'acsTransID' | 'amount'>,
  status: string,
  key: Uint8Array,
): string | undefined =>
  status === 'Y' || status === 'A'
    ? makeCavv({ number: areq.acctNumber, amount, currency: areq.purchaseCurrency ?? '', acsTransID, status }, key)
    : undefined
