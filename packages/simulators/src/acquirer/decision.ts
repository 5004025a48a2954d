import { responseCodes } from '@tollgate/contract'
import { monthAndDayOf } from './business-day.ts'
import { storedCardOf } from './card.ts'
import { defaultAvailableMinor } from './card-outcomes.ts'
import type { HostAnswer } from './host-answer.ts'
import type { HostRequest } from './host-request.ts'
import { type BatchKey, batchKeyOf, type Change, type HostState, openBatchOf, rrnKeyOf } from './host-state.ts'
import { issuerDataOf } from './issuer-data.ts'
import { receiptTexts } from './receipt-texts.ts'
import type { TransactionFee } from './settlement/bookings.ts'
import type { HostTransaction, TotalItem, TransactionAmounts, TransactionKind } from './transaction.ts'

/** The facts by which the host decides about a message. */
export interface HostContext {
  readonly state: HostState
  readonly request: HostRequest
  readonly nowMs: number
  /** The host's business day, yyyy-MM-dd. */
  readonly businessDay: string
}

/** The answer to a message, and the changes that take effect with it. */
export interface HostDecision {
  readonly answer: HostAnswer
  readonly changes: readonly Change[]
}

export type Decide = (context: HostContext) => HostDecision

/** Whether a response code approves; 85 approves a verification. */
export const isApproval = (code: string): boolean => {
  const kind = responseCodes[code]?.class
  return kind === 'approved' || kind === 'partial'
}

/** The references of a transaction that an approval has. Without a business day it has the current one. */
type AnsweredReferences = Pick<HostAnswer, 'networkId' | 'approvalCode'> & Partial<Pick<HostTransaction, 'businessDay'>>

/** The results of a decision in an answer, besides its response code. */
export type AnsweredResults = Pick<HostAnswer, 'results' | 'amountMinor' | 'amounts'>

/**
 * The answer with a response code, the reference number of the request, and the merchant advice of the code. Every
 * answer is made by this literal, because V8 takes several times as long to extend an object.
 */
export function answerOf(
  { state, request, businessDay: currentDay }: HostContext,
  code: string,
  { networkId, approvalCode, businessDay = currentDay }: AnsweredReferences = {},
  { results, amountMinor, amounts }: AnsweredResults = {},
): HostAnswer {
  const { type, reference, rrn, cryptogram, pointOfSale } = request
  const isApproved = isApproval(code)
  const isIssuerAnswer = type.class === 'authorisation' || type.class === 'financial'
  // A message that was reversed before it arrived says nothing about its card.
  const hasAdvice = isIssuerAnswer && !isApproved && !state.earlyReversals.has(reference)
  return {
    code,
    rrn,
    settlementDate: isApproved ? monthAndDayOf(businessDay) : undefined,
    advice: hasAdvice ? responseCodes[code]?.advice : undefined,
    issuerData:
      isIssuerAnswer && cryptogram !== undefined ? issuerDataOf(isApproved ? '00' : code, cryptogram) : undefined,
    receiptText: pointOfSale.terminal === undefined ? undefined : receiptTexts[code],
    networkId,
    approvalCode,
    results,
    amountMinor,
    amounts,
  }
}

/** Refuses without a transaction of its own. */
export const refuse = (context: HostContext, code: string): HostDecision => ({
  answer: answerOf(context, code),
  changes: [],
})

/** The details of a transaction that the message itself does not contain. */
export interface TransactionDetails {
  readonly code: string
  readonly root?: HostTransaction | undefined
  readonly approvalCode?: string | undefined
  readonly amounts?: Partial<TransactionAmounts> | undefined
}

/** The id of the next transaction. */
export const nextIdOf = ({ lastId }: HostState): number => lastId + 1

/** A new transaction of the message in a context. */
export function transactionOf(
  { state, request, businessDay }: HostContext,
  kind: TransactionKind,
  { code, root, approvalCode, amounts }: TransactionDetails,
): HostTransaction {
  const id = nextIdOf(state)
  // The texts of the batch are equal to those of the request: thousands of transactions share them.
  const { merchant, terminal, currency, number: batch } = openBatchOf(state, batchKeyIn(request, businessDay))
  return {
    authorisedMinor: amounts?.authorisedMinor ?? 0,
    capturedMinor: amounts?.capturedMinor ?? 0,
    refundedMinor: amounts?.refundedMinor ?? 0,
    reversedMinor: amounts?.reversedMinor ?? 0,
    isReversed: amounts?.isReversed ?? false,
    isFinal: amounts?.isFinal ?? false,
    id,
    kind,
    type: request.type.first,
    reference: request.reference,
    rootId: root?.id,
    terminal,
    merchant,
    stan: request.stan,
    transmittedAt: request.transmittedAt,
    rrn: request.rrn,
    networkId: root?.networkId ?? networkIdOf(request, id, businessDay),
    card: storedCardOf(request.card),
    pointOfSale: request.pointOfSale,
    account: request.account,
    currency,
    requestedMinor: request.amountMinor,
    responseCode: code,
    approvalCode,
    descriptor: request.descriptor,
    clearingSequence: request.clearingSequence,
    businessDay,
    batch,
  }
}

/** Declines, and records the declined transaction. */
export function decline(
  context: HostContext,
  kind: TransactionKind,
  code: string,
  results?: AnsweredResults,
): HostDecision {
  return {
    answer: answerOf(context, code, undefined, results),
    changes: [{ kind: 'add', transaction: transactionOf(context, kind, { code }) }],
  }
}

/** Six characters that are unique for sixty million transactions. */
export const approvalCodeOf = (id: number): string => id.toString(36).toUpperCase().padStart(6, '0').slice(-6)

/**
 * The network transaction id: 15 digits, the first one by the brand. That of Mastercard begins with nine digits of the
 * Banknet reference and the settlement date.
 */
function networkIdOf({ card }: HostRequest, id: number, businessDay: string): string {
  if (card.isMastercard) return `5${String(id).padStart(8, '0').slice(-8)}${monthAndDayOf(businessDay)}00`
  return `${card.firstDigit === '' ? '0' : card.firstDigit}${String(id).padStart(14, '0')}`
}

/** The available amount of the card in the currency of a request. */
export const availableOf = ({ state, request: { account, card } }: HostContext): number =>
  state.balances.get(account) ?? card.outcome?.availableMinor ?? defaultAvailableMinor

/** Changes the available amount of the card. A follow-up has the card and the currency of its original. */
export const changeBalance = (context: HostContext, differenceMinor: number): Change => ({
  kind: 'balance',
  account: context.request.account,
  availableMinor: availableOf(context) + differenceMinor,
})

const batchKeyIn = ({ merchant, terminal, currency }: HostRequest, businessDay: string): BatchKey => ({
  merchant,
  terminal,
  currency,
  businessDay,
})

/** A transaction whose amount counts in a batch of a business day. */
interface Posted {
  readonly id: number
  readonly batchDay: string
}

/** Counts an amount in an open batch of the terminal: by default that of the new transaction in the current day. */
export const post = (
  { state, request, businessDay }: HostContext,
  item: TotalItem,
  amountMinor: number,
  { id, batchDay }: Posted = { id: nextIdOf(state), batchDay: businessDay },
): Change => ({ kind: 'post', id, batch: batchKeyIn(request, batchDay), item, amountMinor, businessDay })

/** Charges the fee for a message about a transaction. */
export const charge = ({ businessDay }: HostContext, { id }: HostTransaction, fee: TransactionFee): Change => ({
  kind: 'charge',
  id,
  fee,
  businessDay,
})

/** The authorisation or sale that a follow-up names. */
export type FoundRoot = { readonly root: HostTransaction } | { readonly code: string } | undefined

/**
 * Finds the authorisation or sale that a follow-up names: by field 90, or else by the network transaction id, or else
 * by the reference number of the same terminal.
 *
 * @returns a response code if the named one is unknown (25), or has another card or currency (77); undefined if the
 *   message names none
 */
export function findRoot({ state, request }: HostContext): FoundRoot {
  const { originalReference, networkId, account } = request
  const id =
    originalReference !== undefined
      ? state.byReference.get(originalReference)
      : networkId !== undefined
        ? state.byNetworkId.get(networkId)
        : state.byRrn.get(rrnKeyOf(request))
  const found = state.transactions.get(id ?? 0)
  const root = found?.rootId === undefined ? found : state.transactions.get(found.rootId)
  if (root === undefined) return originalReference === undefined && networkId === undefined ? undefined : { code: '25' }
  return root.account === account ? { root } : { code: '77' }
}

/** Whether an approved transaction counts in a batch. */
export const isPosted = ({ kind }: HostTransaction): boolean => postedKinds.has(kind)

const postedKinds: ReadonlySet<TransactionKind> = new Set(['capture', 'sale', 'refund', 'payout'])

/** Whether the batch of a transaction is closed, so that a client can no longer take it back. */
export const isBatchClosed = ({ batches }: HostState, transaction: HostTransaction): boolean =>
  (batches.get(batchKeyOf(transaction))?.number ?? transaction.batch) > transaction.batch
