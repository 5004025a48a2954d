import { describeResult, type ResultCode } from '@tollgate/contract'
import type { AccountRow } from '@tollgate/storage'

/**
 * What answers say of a transaction beyond the columns of its row. Worded once, when it is decided, and kept as the
 * JSON that every later answer carries: what was said does not change when a text of ours does.
 */
export interface Outcome {
  /** Set where the brand was detected, not sent. */
  readonly brandResult?: string | undefined
  readonly descriptor?: string | undefined
  readonly result: ResultView
  readonly resultDetails: Readonly<Record<string, string>>
  readonly card?: CardView | undefined
}

interface ResultView {
  readonly code: ResultCode
  readonly description: string
  readonly avsResponse: string | undefined
  readonly cvvResponse: string | undefined
}

/** First six and last four are all that ever leaves of a card number. */
interface CardView {
  readonly bin: string | undefined
  readonly last4Digits: string | undefined
  readonly holder: string | undefined
  readonly expiryMonth: string | undefined
  readonly expiryYear: string | undefined
  readonly issuer: Readonly<Record<string, string | undefined>> | undefined
  readonly type: string | undefined
  readonly level: string | undefined
  readonly regulatedFlag: string | undefined
}

/** What of a card may be kept in the clear and shown. */
export type CardFace = Pick<AccountRow, 'bin' | 'last4' | 'holder' | 'expiry_month' | 'expiry_year'>

/** Facts that an acquirer tells about a card, by their names below `card.`: type, level, issuer.bank, … */
type CardFacts = Readonly<Record<string, string>>

export const resultView = (code: ResultCode, avsResponse?: string, cvvResponse?: string): ResultView => ({
  code,
  description: describeResult(code),
  avsResponse,
  cvvResponse,
})

export function cardView(face: CardFace, facts: CardFacts = {}): CardView {
  const { 'issuer.bank': bank, 'issuer.phone': phone, 'issuer.website': website } = facts
  return {
    bin: face.bin ?? undefined,
    last4Digits: face.last4 ?? undefined,
    holder: face.holder ?? undefined,
    expiryMonth: face.expiry_month ?? undefined,
    expiryYear: face.expiry_year ?? undefined,
    issuer: bank === undefined && phone === undefined && website === undefined ? undefined : { bank, phone, website },
    type: facts.type,
    level: facts.level,
    regulatedFlag: facts.regulatedFlag,
  }
}
