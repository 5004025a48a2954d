import type { SentForm } from '@tollgate/gateway/testing'
import type { Random } from '../support/random.ts'
import { type Channel, channels } from './merchants.ts'

/** A request of a shop. */
export interface ShopRequest {
  /** The unique name in the log; also the merchantTransactionId, if the request has one. */
  readonly name: string
  readonly channel: Channel
  readonly sent: SentForm
}

/** A record that a shop received in an answer. */
interface ShopRecord {
  readonly id: string
  readonly type: string
  readonly channel: Channel
}

/** The transactions, registrations and plans that shops received in answers, newest last. */
export interface ShopRecords {
  readonly transactions: ShopRecord[]
  readonly registrations: ShopRecord[]
  readonly plans: ShopRecord[]
  /** The last request. */
  last: DrawnRequest | undefined
}

export const noRecords = (): ShopRecords => ({ transactions: [], registrations: [], plans: [], last: undefined })

type Form = Readonly<Record<string, string>>

/** Draws a request of one kind; undefined if there is no record to which it could refer. */
type Draw = (random: Random, records: ShopRecords) => DrawnRequest | undefined

interface DrawnRequest {
  readonly channel: Channel
  readonly operation: SentForm['operation']
  readonly id?: string
  readonly form: Form
  /** Whether the request has a merchantTransactionId. */
  readonly isNamed?: true
}

/** Few amounts, so that sums of them often equal or exceed the authorised amount. */
const amounts = ['92.00', '92.00', '46.00', '46.00', '30.67', '10.00', '0.01', '92.01'] as const

const approvedNumber = '4200000000000000'
const declinedNumber = '4000000000000002'
/** The number of a card that the issuer declines at an acquirer's host. */
const declinedAtHostNumber = '4999990000000056'
/** A card with a small balance at an acquirer's host. */
const poorNumber = '4999990000010006'

/** The numbers of all cards. */
export const cardNumbers: readonly string[] = [approvedNumber, declinedNumber, declinedAtHostNumber, poorNumber]

const cardForm = ({ chance, pick }: Random): Form => ({
  paymentBrand: 'VISA',
  'card.number': chance(0.1) ? pick([declinedNumber, declinedAtHostNumber, poorNumber]) : approvedNumber,
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
})

const agreement: Form = {
  createRegistration: 'true',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
}

const euros = (amount: string): Form => ({ amount, currency: 'EUR' })

/** The types of follow-ups that are drawn for each type; a type that is drawn more often occurs several times. */
const followUps: Readonly<Record<string, readonly string[]>> = {
  PA: ['CP', 'CP', 'CP', 'CP', 'RV', 'PA'],
  DB: ['RF', 'RF', 'RF', 'RV', 'RB', 'CB'],
  CD: ['RF'],
  CP: ['RF', 'RF', 'RV', 'CB', 'RB'],
  RB: ['RF', 'RF', 'RV', 'CB'],
  RF: ['CB'],
  CB: ['CR'],
  CR: ['CB'],
}

/** Picks one of the newest records, or often the target of the last request, so that concurrent requests share it. */
function pickTarget(
  { pick, chance }: Random,
  records: readonly ShopRecord[],
  { last }: ShopRecords,
): ShopRecord | undefined {
  if (records.length === 0) return undefined
  const lastTarget = records.find(({ id }) => id === last?.id)
  return lastTarget && chance(0.6) ? lastTarget : pick(records.slice(-6))
}

const drawPayment: Draw = (random) => {
  const type = random.pick(['PA', 'PA', 'DB', 'DB', 'DB', 'CD'])
  const captures: Form = type === 'PA' ? { numberOfCaptures: String(1 + random.below(4)) } : {}
  const registering = type !== 'CD' && random.chance(0.3) ? agreement : {}
  const form = { ...euros('92.00'), paymentType: type, ...cardForm(random), ...captures, ...registering }
  return { channel: random.pick(channels), operation: 'createPayment', form, isNamed: true }
}

const drawFollowUp: Draw = (random, records) => {
  const target = pickTarget(random, records.transactions, records)
  if (!target) return undefined
  const allowedTypes = followUps[target.type] ?? ['RF']
  const paymentType = random.pick(random.chance(0.9) ? allowedTypes : Object.keys(followUps))
  const practice: Form = paymentType === 'PA' ? { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' } : {}
  const amount = paymentType === 'RV' && random.chance(0.7) ? {} : euros(random.pick(amounts))
  const form = { paymentType, ...amount, ...practice }
  return { channel: target.channel, operation: 'referToPayment', id: target.id, form, isNamed: true }
}

const drawRegistrationPayment: Draw = (random, records) => {
  const target = pickTarget(random, records.registrations, records)
  if (!target) return undefined
  const form = { ...euros(random.pick(amounts)), paymentType: random.pick(['DB', 'PA']) }
  return { channel: target.channel, operation: 'payWithRegistration', id: target.id, form, isNamed: true }
}

const drawPlan: Draw = (random, records) => {
  const target = pickTarget(random, records.registrations, records)
  if (!target) return undefined
  const times: Form = { 'job.month': '*', 'job.dayOfMonth': '*', 'job.hour': random.pick(['*', '0']) }
  const form = { registrationId: target.id, ...euros('9.20'), paymentType: 'DB', ...times }
  return { channel: target.channel, operation: 'createSchedule', form }
}

const drawPlanEnd: Draw = (random, records) => {
  const target = pickTarget(random, records.plans, records)
  return target && { channel: target.channel, operation: 'deschedule', id: target.id, form: {} }
}

const drawDeregistration: Draw = (random, records) => {
  const target = pickTarget(random, records.registrations, records)
  return target && { channel: target.channel, operation: 'deleteRegistration', id: target.id, form: {} }
}

const drawRead: Draw = (random, records) => {
  const target = pickTarget(random, records.transactions, records)
  return target && { channel: target.channel, operation: 'getPayment', id: target.id, form: {} }
}

const weights: readonly (readonly [weight: number, draw: Draw])[] = [
  [15, drawPayment],
  [52, drawFollowUp],
  [10, drawRegistrationPayment],
  [8, drawPlan],
  [3, drawPlanEnd],
  [2, drawDeregistration],
  [10, drawRead],
]

const draws = weights.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw))

/**
 * Repeats the last request if it refers to a record: one such request may be allowed, while two may exceed the amount.
 */
const repeatLast: Draw = ({ chance }, { last }) => (last?.id !== undefined && chance(0.45) ? last : undefined)

/** Operations whose requests may have a test mode; that of a follow-up is the payment's. */
const hasTestMode: ReadonlySet<string> = new Set(['createPayment', 'payWithRegistration', 'createSchedule'])

/**
 * Draws a request; undefined if there is no record to which it could refer yet.
 *
 * @param isExternal whether most payments are sent to hosts of acquirers
 */
export function drawRequest(
  random: Random,
  records: ShopRecords,
  number: number,
  isExternal: boolean,
): ShopRequest | undefined {
  const drawn = repeatLast(random, records) ?? random.pick(draws)(random, records)
  if (!drawn) return undefined
  const { channel, operation, id = '', form, isNamed } = drawn
  records.last = drawn
  const name = `request-${String(number).padStart(4, '0')}`
  const completeForm = {
    entityId: channel.id,
    ...form,
    ...(isNamed && { merchantTransactionId: name }),
    ...(isExternal && hasTestMode.has(operation) && random.chance(0.9) && { testMode: 'EXTERNAL' }),
  }
  const idempotencyKey = operation !== 'getPayment' && random.chance(0.7) ? `key-${number}` : undefined
  const sent = {
    operation,
    id,
    token: channel.token,
    form: new URLSearchParams(completeForm).toString(),
    idempotencyKey,
  }
  return { name, channel, sent }
}
