import type { AcquirerRequest } from '@tollgate/connectors'
import { echoOf, HOUR_MS, type ResultCode } from '@tollgate/contract'
import {
  type Command,
  decide,
  type Decision,
  type Go,
  isPaymentType,
  isTestMode,
  paymentLimits,
  type Refused,
  refusalHttpStatus,
  refused,
  soleCaptureOf,
  unfitReference,
  type Unknown,
  unknownReference,
} from '@tollgate/domain'
import type { AccountRow, StoredTree, TransactionRow } from '@tollgate/storage'
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
import { descriptorOf } from '../records/descriptor.ts'
import { echoOn } from '../records/echo.ts'
import { methodOf } from '../records/payment-method.ts'
import { notificationIn } from '../records/notification-target.ts'
import { detailsWithExpiry, type Outcome, resultView } from '../records/outcome.ts'
import { channelFor, channelOf, isInReach, visibilityOf } from '../directory/visibility.ts'
import { rebill } from './rebill.ts'
import { followingTransaction } from '../records/new-transaction.ts'
import { factsOf, initialTransactionIdOf, paymentTree, resultDetailsOf } from '../records/payment-record.ts'
import { amountOf, answerAbout, withDecimals } from '../records/transaction-view.ts'
import type { FollowUp, FollowUpOutcome } from './follow-up.ts'

/**
 * "payment id: exactly 32 letters or digits" (contract, Identifiers). Any other path segment is not repeated in
 * answers.
 */
const TRANSACTION_ID = /^[A-Za-z0-9]{32}$/

/** The referenced transaction with its tree. */
interface Referenced {
  readonly stored: StoredTree
  readonly row: TransactionRow
}

/** A permitted follow-up, with the referenced transaction. */
interface ReferencedFollowUp extends FollowUp {
  readonly original: TransactionRow
}

/** Options of system requests. */
type SystemOptions = Pick<Command, 'expiry'>

/**
 * A move that refers to a payment, such as CP, RV or RF (table of moves). If the tree has changed between read and
 * commit, the command handler decides again.
 */
export async function referToPayment(
  context: Context,
  request: FollowUpRequest,
  options: SystemOptions = {},
): Promise<PendingUnit> {
  const found = await find(context, request)
  const channel = channelFor(request, found?.row)
  if (!found) return refuse(context, request, unknownFor(typeOf(request)))
  if (!isInReach(context, request, found.row)) return refuse(context, request, OUT_OF_REACH)
  const referenced = refundTarget(request, channel, found)
  const accountId = referenced.row.account_id
  const account = accountId === null ? undefined : await context.storage.account(accountId)
  const decision = decideOn(request, referenced, channel, account, options)
  if (decision.kind !== 'go') return refuse(context, request, decision, referenced.row)
  const id = context.ids.ordered()
  const descriptor = descriptorOf(request.reference, id, channel)
  const { stored, row: original } = referenced
  return proceed(context, { request, id, go: decision, channel, descriptor, stored, original, account })
}

/** The answer to a request that is refused before its decision, or after too many version conflicts. */
export async function refuseReference(context: Context, request: FollowUpRequest, why: Refusal): Promise<Answer> {
  const row = (await find(context, request))?.row
  return refusal(context, request, why, row && isInReach(context, request, row) ? row : undefined)
}

/** The same refusal as for a read, without amount, currency or descriptor of the payment. */
const OUT_OF_REACH = refused('700.400.700', 'the payment was made on another channel')

const typeOf = ({ purpose }: FollowUpRequest): string => purpose.sentType ?? ''

function unknownFor(type: string): Unknown {
  if (isPaymentType(type)) return unknownReference(type)
  return { kind: 'unknown', code: '700.400.580', reason: 'there is no such transaction' }
}

/** The referenced transaction, if it belongs to the merchant of the request. */
async function find(context: Context, request: FollowUpRequest): Promise<Referenced | undefined> {
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

function decideOn(
  request: FollowUpRequest,
  { stored, row }: Referenced,
  channel: Channel,
  account: AccountRow | undefined,
  options: SystemOptions,
): Decision {
  const type = typeOf(request)
  if (!isPaymentType(type)) return refused('600.200.400', 'this payment type cannot be sent for a payment')
  const tree = paymentTree(stored)
  if (!tree) return unfitReference(type)
  const isAccountAvailable = account !== undefined && sealedOf(account) !== undefined
  const command = commandOf(request, type, channel, {
    currency: tree.transactions[0]?.currency,
    method: differentMethod(request, row),
    isAccountAvailable,
  })
  if ('kind' in command) return command
  return decide(
    tree,
    row.id,
    { ...command, ...options },
    { ...paymentLimits, clearingCutOffMs: channel.settings.clearingCutOffHours * HOUR_MS },
  )
}

/** The method of the sent brand, if the brand belongs to another kind of account than the payment; else undefined. */
function differentMethod({ purpose }: FollowUpRequest, { method }: TransactionRow): string | undefined {
  const brand = knownBrand(purpose.paymentBrand)
  const sent = brand && methodOf(brand)
  const isCompatible = sent !== undefined && compatible.some((methods) => methods.has(sent) && methods.has(method))
  return isCompatible ? undefined : sent
}

/** Methods of one kind of account: cards, debit cards and wallets; direct debits and credit transfers. */
const compatible: readonly ReadonlySet<string | null>[] = [new Set(['CC', 'DC', 'WA']), new Set(['DD', 'CT'])]

/** The unit of a follow-up. A recorded event, such as a chargeback, is not sent to the acquirer. */
async function proceed(context: Context, followUp: ReferencedFollowUp): Promise<PendingUnit> {
  const { request, go, original } = followUp
  const decideOutcome = (outcome: FollowUpOutcome) => followUpUnit(context, followUp, outcome)
  if (go.recorded) return decideOutcome({ response: recordedAnswer(go, go.recorded) })
  if (go.type !== 'RB') {
    return sendAuthorisation(context, {
      request: authorisationRequestOf(followUp),
      decide: async (response) => decideOutcome({ response }),
      release: undefined,
    })
  }
  const refuseAs = (why: Refused | Unknown, details?: Refusal['details']) =>
    refuse(context, request, why, original, details)
  return rebill(context, followUp, { decide: decideOutcome, refuse: refuseAs })
}

function followUpUnit(context: Context, followUp: ReferencedFollowUp, outcome: FollowUpOutcome): DecidedUnit {
  const { request, stored } = followUp
  const { id, merchant, version } = stored
  const row = transactionRow(followUp, outcome)
  return {
    answer: answerAbout(context, request, row),
    unique: outcome.unique,
    transaction: { row, tree: { id, merchant, version } },
    account: outcome.account,
    agreement: outcome.agreed?.agreement,
  }
}

/** The request has no account, because the acquirer finds the original transaction by its own references. */
const authorisationRequestOf = ({
  request,
  id,
  go,
  channel,
  descriptor,
  original,
}: ReferencedFollowUp): AcquirerRequest =>
  authorisationRequest(request, go, {
    transactionId: id,
    brand: original.brand ?? '',
    descriptor,
    testMode: narrow(isTestMode, original.test_mode),
    redirected: factsOf(original).redirected,
    original: originalOf(original),
    // "Incremental: needs the original network id."
    initialTransactionId: go.type === 'PA' ? initialTransactionIdOf(resultDetailsOf(original)) : undefined,
    partialApproval: channel.settings.partialApproval,
  })

const recordedAnswer = ({ amountMinor }: Go, code: ResultCode): AcquirerResponse => ({
  status: 'approved',
  code,
  amountMinor,
  details: { ExtendedDescription: 'The event was recorded; no request was sent to the acquirer.' },
})

function factsFor(original: TransactionRow, go: Go, agreed: FollowUpOutcome['agreed']): Go['facts'] {
  const facts = agreed ? { ...go.facts, instruction: agreed.instruction } : go.facts
  return factsOf(original).redirected ? { ...facts, redirected: true } : facts
}

function transactionRow(
  { request, id, go, channel, descriptor, original, account }: ReferencedFollowUp,
  { response, agreed, account: own }: FollowUpOutcome,
): TransactionRow {
  const chargedAccount = own ?? account
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
  return followingTransaction(request, original, {
    id,
    type: go.type,
    status,
    code: response.code,
    amountMinor: status === 'ACK' ? response.amountMinor : go.amountMinor,
    accountId: own?.id,
    networkTransactionId: agreed && initialTransactionIdOf(response.details),
    agreementId: agreed?.agreementId,
    facts: { ...factsFor(original, go, agreed), ...notificationIn(request) },
    echo: echoOn(channel, request.parameters, chargedAccount && kindOf(chargedAccount)),
    outcome,
  })
}

function refuse(
  context: Context,
  request: FollowUpRequest,
  why: Refused | Unknown,
  original?: TransactionRow,
  details: Refusal['details'] = {},
): PendingUnit {
  const { kind, code, reason } = why
  return { answer: refusal(context, request, { status: refusalHttpStatus[kind], code, reason, details }, original) }
}

/**
 * The answer to a refused follow-up, which is not stored. It has every field that strict clients expect of a follow-up:
 * missing and wrong fields of the request are those of the referenced transaction, if there is one.
 */
function refusal(
  context: Context,
  request: FollowUpRequest,
  why: Refusal,
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
  return context.render.refusal(why.status, why.code, request, { ...why, resourceFields, echo })
}
