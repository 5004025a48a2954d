import type { AcquirerAnswer, ExchangeResult, NoAnswer, OpenRequest } from '@tollgate/connectors'
import type { ResultCode } from '@tollgate/contract'
import { successCode } from '@tollgate/domain'

const clearingInstituteName = 'Example acquirer'

/** The result code of each reason for a decline. */
const declines: Readonly<Record<string, ResultCode>> = {
  doNotHonour: '800.100.152',
  insufficientFunds: '800.100.155',
  expiredCard: '800.100.157',
}
/** Other reasons, which the acquirer may add. */
const OTHER_DECLINE: ResultCode = '800.100.152'

/** The answer of the acquirer about one transaction. */
interface Transaction {
  /** The id in the request. */
  readonly id: string
  /** The acquirer's reference. */
  readonly reference: string
  readonly status: 'approved' | 'declined'
  /** The approved amount. */
  readonly amountMinor: number
  readonly currency: string
  /** Of a decline. */
  readonly reason?: string
}

/** The result code of an approval of a part. */
const APPROVED_IN_PART: ResultCode = '000.000.001'

const UNKNOWN: NoAnswer = { status: 'unknown' }

/**
 * Reads the answer to a request. An answer that does not fit the request is no answer: its outcome is unknown, and the
 * gateway reverses it.
 *
 * @param acceptsPart whether an approval of a part is accepted
 */
export function answerTo(
  request: OpenRequest,
  acceptsPart: boolean,
  { status, body, sent }: ExchangeResult,
): AcquirerAnswer | NoAnswer {
  if (status === 0) return sent ? UNKNOWN : { status: 'notSent', reason: 'there was no connection' }
  const transaction = status === 200 ? transactionIn(body) : undefined
  if (!transaction || transaction.id !== request.transactionId) return UNKNOWN
  const details = { clearingInstituteName, ConnectorTxID1: transaction.reference }
  const { amountMinor, currency, reason = '' } = transaction
  if (transaction.status === 'declined') {
    const code = (Object.hasOwn(declines, reason) ? declines[reason] : undefined) ?? OTHER_DECLINE
    const ExtendedDescription = 'Declined by the acquirer.'
    return { status: 'declined', code, amountMinor: 0, details: { ...details, ExtendedDescription } }
  }
  const isPart = acceptsPart && amountMinor > 0 && amountMinor < request.amountMinor
  if (currency !== request.currency || !(amountMinor === request.amountMinor || isPart)) return UNKNOWN
  const code = isPart ? APPROVED_IN_PART : successCode(request.testMode)
  return { status: 'approved', code, amountMinor, details: { ...details, ExtendedDescription: 'Approved.' } }
}

/** The transaction in a body; undefined if the body has another form. */
function transactionIn(body: string): Transaction | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isTransaction(value) ? value : undefined
  } catch {
    return undefined
  }
}

const REFERENCE = /^[!-~]{1,100}$/

function isTransaction(value: unknown): value is Transaction {
  if (typeof value !== 'object' || value === null) return false
  const field = (name: string): unknown => Reflect.get(value, name)
  const reference = field('reference')
  return (
    typeof field('id') === 'string' &&
    typeof reference === 'string' &&
    REFERENCE.test(reference) &&
    (field('status') === 'approved' || field('status') === 'declined') &&
    Number.isSafeInteger(field('amountMinor')) &&
    typeof field('currency') === 'string' &&
    ['string', 'undefined'].includes(typeof field('reason'))
  )
}
