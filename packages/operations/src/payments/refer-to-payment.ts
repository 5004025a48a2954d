import type { AcquirerAccount, AcquirerRequest } from '@tollgate/connectors'
import { echoOf, HOUR_MS, type ResultCode } from '@tollgate/contract'
import {
  businessDayOf,
  type Command,
  decide,
  type Decision,
  endOfBusinessDay,
  type Go,
  isPaymentType,
  isTestMode,
  paymentLimits,
  type Refused,
  refusalHttpStatus,
  refused,
  soleCaptureOf,
  wrongTypeRefusal,
  type Unknown,
  unknownReference,
} from '@tollgate/domain'
import type { AccountRow, StoredTree, TransactionRow } from '@tollgate/storage'
import { connectorOfRow, needsAccountLater, routingTo } from '../acquirer/connector-of.ts'
import { lendAccount } from '../acquirer/lend-account.ts'
import { sendAuthorisation } from '../acquirer/send-authorisation.ts'
import { type AcquirerResponse, statusOfResponse } from '../acquirer/acquirer-response.ts'
import type { Answer, Refusal } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import type { DecidedUnit, PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { FollowUpRequest } from '../parameters/follow-up-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { narrow } from '../narrow.ts'
import { detailsOf, kindOf, sealedOf } from '../records/account-record.ts'
import { accountView, maskedAccountOf } from '../records/masked-account.ts'
import { authorisationRequest, originalOf } from '../acquirer/authorisation-request.ts'
import { commandOf } from './command.ts'
import { disputeChange, type DisputeDetails } from '../records/dispute-record.ts'
import { descriptorOf } from '../records/descriptor.ts'
import { echoFor } from '../records/echo.ts'
import { methodOf } from '../records/payment-method.ts'
import { notificationTargetIn } from '../records/notification-target.ts'
import { detailsWithExpiry, type Outcome, resultView } from '../records/outcome.ts'
import { requiredChannelOf, channelOf, isInReach, visibilityOf } from '../directory/visibility.ts'
import { rebill } from './rebill.ts'
import { followUpTransaction } from '../records/new-transaction.ts'
import { factsOf, initialTransactionIdOf, paymentTree, resultDetailsOf } from '../records/payment-record.ts'
import { amountOf, answerAbout, withDecimals } from '../records/transaction-view.ts'
import type { FollowUp, FollowUpOutcome } from './follow-up.ts'

/**
 * "payment id: exactly 32 letters or digits" (contract, Identifiers). Answers do not repeat any other path segment.
 */
const TRANSACTION_ID = /^[A-Za-z0-9]{32}$/

/** The referenced transaction with its tree. */
interface Referenced {
  readonly stored: StoredTree
  readonly row: TransactionRow
}

/** Options of system requests. */
interface SystemOptions extends Pick<Command, 'expiry'> {
  /** The details of a chargeback or its reversal, which its message does not contain. */
  readonly dispute?: DisputeDetails
}

/**
 * Decides a move that refers to a payment, such as CP, RV or RF (table of moves). If the tree has changed between read
 * and commit, the command handler calls this function again.
 */
export async function referToPayment(
  context: Context,
  request: FollowUpRequest,
  { dispute = BY_CALLER, ...options }: SystemOptions = {},
): Promise<PendingUnit> {
  const sentReference = await findReferenced(context, request)
  const channel = requiredChannelOf(request, sentReference?.row)
  if (!sentReference) return refuse(context, request, unknownFor(typeOf(request)))
  if (!isInReach(context, request, sentReference.row)) return refuse(context, request, OTHER_CHANNEL)
  const referenced = refundTarget(request, channel, sentReference)
  const accountId = referenced.row.account_id
  const account = accountId === null ? undefined : await context.storage.account(accountId)
  const cutOffMs = await clearingCutOffMs(context, request, referenced.row, channel)
  const decision = decideFollowUp(request, referenced, channel, account, { ...options, cutOffMs })
  if (decision.kind !== 'go') return refuse(context, request, decision, referenced.row)
  const id = context.ids.ordered()
  const descriptor = descriptorOf(request.reference, id, channel)
  const { stored, row: original } = referenced
  const followUp = { request, id, go: decision, channel, descriptor, stored, original, account, dispute }
  return executeFollowUp(context, followUp)
}

const BY_CALLER: DisputeDetails = { by: 'caller' }

/** The answer to a request that is refused before its decision, or after too many version conflicts. */
export async function refuseFollowUp(context: Context, request: FollowUpRequest, refusal: Refusal): Promise<Answer> {
  const row = (await findReferenced(context, request))?.row
  return followUpRefusal(context, request, refusal, row && isInReach(context, request, row) ? row : undefined)
}

/** Like the refusal of a read, it contains no data of the payment. */
const OTHER_CHANNEL = refused('700.400.700', 'the payment was made on another channel')

const typeOf = ({ purpose }: FollowUpRequest): string => purpose.sentType ?? ''

function unknownFor(type: string): Unknown {
  if (isPaymentType(type)) return unknownReference(type)
  return { kind: 'unknown', code: '700.400.580', reason: 'there is no such transaction' }
}

/** The referenced transaction, if it belongs to the merchant of the request. */
async function findReferenced(context: Context, request: FollowUpRequest): Promise<Referenced | undefined> {
  const stored = await context.storage.treeOf(request.id)
  const row = stored?.transactions.find(({ id }) => id === request.id)
  return stored && row && visibilityOf(context, request, row) !== 'unknown' ? { stored, row } : undefined
}

/** On legacy channels, a refund of a preauthorisation with one capture refunds the capture. */
function refundTarget(request: FollowUpRequest, { settings }: Channel, referenced: Referenced): Referenced {
  const { stored, row } = referenced
  if (settings.compatibility !== 'legacy' || typeOf(request) !== 'RF' || row.type !== 'PA') return referenced
  const tree = paymentTree(stored)
  const capture = tree && soleCaptureOf(tree, row.id)
  const captureRow = stored.transactions.find(({ id }) => id === capture?.id)
  return captureRow ? { ...referenced, row: captureRow } : referenced
}

function decideFollowUp(
  request: FollowUpRequest,
  { stored, row }: Referenced,
  channel: Channel,
  account: AccountRow | undefined,
  { cutOffMs, ...options }: Pick<Command, 'expiry'> & { readonly cutOffMs: number },
): Decision {
  const type = typeOf(request)
  if (!isPaymentType(type)) return refused('600.200.400', 'this payment type cannot be sent for a payment')
  const tree = paymentTree(stored)
  if (!tree) return wrongTypeRefusal(type)
  const isAccountAvailable = account !== undefined && sealedOf(account) !== undefined
  const command = commandOf(request, type, channel, {
    currency: tree.transactions[0]?.currency,
    method: differentMethod(request, row),
    isAccountAvailable,
  })
  if ('kind' in command) return command
  return decide(tree, row.id, { ...command, ...options }, { ...paymentLimits, clearingCutOffMs: cutOffMs })
}

/**
 * The time in which a charge can be reversed: until the cut-off of its acquirer or, where the gateway does not clear
 * the payment, for the time that is set for the channel.
 */
async function clearingCutOffMs(
  context: Context,
  request: FollowUpRequest,
  row: TransactionRow,
  { settings }: Channel,
): Promise<number> {
  const { connector } = typeOf(request) === 'RV' ? await connectorOfRow(context, row) : { connector: undefined }
  const clearing = connector?.kind === 'remote' ? connector.clearing : undefined
  if (!clearing) return settings.clearingCutOffHours * HOUR_MS
  const { cutOff } = clearing
  return endOfBusinessDay(cutOff, businessDayOf(cutOff, row.created_at_ms)) - row.created_at_ms - 1
}

/** The method of the sent brand, if the brand belongs to another kind of account than the payment; else undefined. */
function differentMethod({ purpose }: FollowUpRequest, { method }: TransactionRow): string | undefined {
  const brand = knownBrand(purpose.paymentBrand)
  const sentMethod = brand && methodOf(brand)
  const isCompatible =
    sentMethod !== undefined && compatibleMethods.some((methods) => methods.has(sentMethod) && methods.has(method))
  return isCompatible ? undefined : sentMethod
}

/** Methods of one kind of account: cards, debit cards and wallets; direct debits and credit transfers. */
const compatibleMethods: readonly ReadonlySet<string | null>[] = [new Set(['CC', 'DC', 'WA']), new Set(['DD', 'CT'])]

/** The unit of a follow-up. A recorded event, such as a chargeback, is not sent to the acquirer. */
async function executeFollowUp(context: Context, followUp: FollowUp): Promise<PendingUnit> {
  const { request, go, original } = followUp
  const decideOutcome = (outcome: FollowUpOutcome) => followUpUnit(context, followUp, outcome)
  if (go.recorded) return recordEvent(context, followUp, decideOutcome({ response: recordedResponse(go, go.recorded) }))
  if (go.type !== 'RB') {
    const connector = await connectorOfRow(context, original)
    const account = needsAccountLater(connector) ? lendAccount(context, followUp.account) : undefined
    return sendAuthorisation(context, {
      routing: routingTo(connector),
      request: authorisationRequestOf(followUp, account),
      decide: async (response) => decideOutcome({ response }),
      release: account && (() => account.number?.wipe()),
    })
  }
  const refuseRebill = (refusal: Refused | Unknown, details?: Refusal['details']) =>
    refuse(context, request, refusal, original, details)
  return rebill(context, followUp, { decide: decideOutcome, refuse: refuseRebill })
}

/** The unit of a recorded event. A chargeback or its reversal also moves the dispute. */
async function recordEvent(context: Context, followUp: FollowUp, unit: DecidedUnit): Promise<PendingUnit> {
  const { request, id, go, stored, original, dispute } = followUp
  if (go.type !== 'CB' && go.type !== 'CR') return unit
  const movement = { go, id, stored, original, details: dispute, atMs: request.atMs }
  return { ...unit, ...(await disputeChange(context.storage, movement)) }
}

function followUpUnit(context: Context, followUp: FollowUp, outcome: FollowUpOutcome): DecidedUnit {
  const { request, stored } = followUp
  const { id, merchant, version } = stored
  const row = transactionRow(followUp, outcome)
  return {
    answer: answerAbout(context, request, row),
    unique: outcome.unique,
    transaction: { row, tree: { id, merchant, version } },
    account: outcome.account,
    agreement: outcome.acceptedInstruction?.agreement,
  }
}

/** The number of a new capture among the captures of its authorisation, from 1; failed captures do not count. */
const captureSequence = ({ transactions }: StoredTree, { id }: TransactionRow): number =>
  transactions.filter((row) => row.type === 'CP' && row.referenced_id === id && row.status !== 'NOK').length + 1

/** @param account undefined if the acquirer finds the original transaction by its own references alone */
const authorisationRequestOf = (
  { request, id, go, channel, descriptor, original, stored }: FollowUp,
  account: AcquirerAccount | undefined,
): AcquirerRequest =>
  authorisationRequest(request, go, {
    account,
    transactionId: id,
    brand: original.brand ?? '',
    descriptor,
    testMode: narrow(isTestMode, original.test_mode),
    redirected: factsOf(original).redirected,
    original: {
      ...originalOf(original, stored.transactions),
      captureSequence: go.type === 'CP' ? captureSequence(stored, original) : undefined,
    },
    // "Incremental: needs the original network id."
    initialTransactionId: go.type === 'PA' ? initialTransactionIdOf(resultDetailsOf(original)) : undefined,
    partialApproval: channel.settings.partialApproval,
  })

const recordedResponse = ({ amountMinor }: Go, code: ResultCode): AcquirerResponse => ({
  status: 'approved',
  code,
  amountMinor,
  details: { ExtendedDescription: 'The event was recorded; no request was sent to the acquirer.' },
})

function factsFor(original: TransactionRow, go: Go, { acceptedInstruction, response }: FollowUpOutcome): object {
  const { routed } = response
  const facts = {
    ...go.facts,
    ...(acceptedInstruction && { instruction: acceptedInstruction.instruction }),
    ...(routed && { routed }),
  }
  return factsOf(original).redirected ? { ...facts, redirected: true } : facts
}

function transactionRow(
  { request, id, go, channel, descriptor, original, account }: FollowUp,
  followUpOutcome: FollowUpOutcome,
): TransactionRow {
  const { response, acceptedInstruction, account: newAccount } = followUpOutcome
  const chargedAccount = newAccount ?? account
  const status = statusOfResponse(response, response.code)
  const outcome: Outcome = {
    descriptor,
    result: resultView(response.code, response.avs, response.cvv),
    resultDetails: detailsWithExpiry(response, go.facts),
    pos: response.pos,
    ...(chargedAccount &&
      accountView(
        kindOf(chargedAccount),
        maskedAccountOf(chargedAccount, detailsOf(chargedAccount)),
        response.accountFacts,
      )),
  }
  return followUpTransaction(request, original, {
    id,
    type: go.type,
    status,
    code: response.code,
    amountMinor: status === 'ACK' ? response.amountMinor : go.amountMinor,
    accountId: newAccount?.id,
    networkTransactionId: acceptedInstruction && initialTransactionIdOf(response.details),
    agreementId: acceptedInstruction?.agreementId,
    facts: { ...factsFor(original, go, followUpOutcome), ...notificationTargetIn(request) },
    echo: echoFor(channel, request.parameters, chargedAccount && kindOf(chargedAccount)),
    outcome,
  })
}

function refuse(
  context: Context,
  request: FollowUpRequest,
  refusal: Refused | Unknown,
  original?: TransactionRow,
  details: Refusal['details'] = {},
): PendingUnit {
  const { kind, code, reason } = refusal
  const withStatus = { status: refusalHttpStatus[kind], code, reason, details }
  return { answer: followUpRefusal(context, request, withStatus, original) }
}

/**
 * The answer to a refused follow-up, which is not stored. It has the fields that strict clients expect of a follow-up:
 * a missing or invalid amount or currency is that of the referenced transaction, if `original` is set.
 */
function followUpRefusal(
  context: Context,
  request: FollowUpRequest,
  refusal: Refusal,
  original: TransactionRow | undefined,
): Answer {
  const channel = channelOf(request, original) ?? context.directory.channel(original?.channel ?? '')
  const { money, purpose, reference } = request
  const amount = money.text
  const resourceFields = {
    referencedId: original?.id ?? (TRANSACTION_ID.test(request.id) ? request.id : undefined),
    paymentType: purpose.sentType,
    amount: amount === undefined ? original && amountOf(original) : withDecimals(amount),
    currency: money.currency ?? original?.currency ?? undefined,
    descriptor: channel ? descriptorOf(reference, request.requestId, channel) : reference.descriptor,
  }
  const echo = JSON.stringify(echoOf(request.parameters))
  return context.render.refusal(refusal.status, refusal.code, request, { ...refusal, resourceFields, echo })
}
