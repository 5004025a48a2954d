import type { SentForm } from '@tollgate/gateway/testing'
import type { Random } from '../support/random.ts'
import { type Channel, channels } from './merchants.ts'

/** A request of a shop. */
export interface ShopRequest {
  /** Its unique merchantTransactionId. */
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
  last: Drawn | undefined
}

export const noRecords = (): ShopRecords => ({ transactions: [], registrations: [], plans: [], last: undefined })

type Form = Readonly<Record<string, string>>

/** Draws a request of one kind; undefined if there is no record to which it could refer. */
type Draw = (random: Random, records: ShopRecords) => Drawn | undefined

interface Drawn {
  readonly channel: Channel
  readonly operation: SentForm['operation']
  readonly id?: string
  readonly form: Form
  /** Whether it has a merchantTransactionId. */
  readonly isNamed?: true
}

/** Few amounts, so that sums of them are equal to, or exceed, the authorised one. */
const amounts = ['92.00', '92.00', '46.00', '46.00', '30.67', '10.00', '0.01', '92.01'] as const

const approved = '4200000000000000'
const declined = '4000000000000002'

const cardForm = ({ chance }: Random): Form => ({
  paymentBrand: 'VISA',
  'card.number': chance(0.1) ? declined : approved,
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

/** The follow-ups of each type, more frequent ones several times. */
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

/** One of the newest records, and often that of the last request, so that concurrent requests refer to the same one. */
function pickTarget(
  { pick, chance }: Random,
  records: readonly ShopRecord[],
  { last }: ShopRecords,
): ShopRecord | undefined {
  if (records.length === 0) return undefined
  const same = records.find(({ id }) => id === last?.id)
  return same && chance(0.6) ? same : pick(records.slice(-6))
}

const begin: Draw = (random) => {
  const type = random.pick(['PA', 'PA', 'DB', 'DB', 'DB', 'CD'])
  const captures: Form = type === 'PA' ? { numberOfCaptures: String(1 + random.below(4)) } : {}
  const registers = type !== 'CD' && random.chance(0.3) ? agreement : {}
  const form = { ...euros('92.00'), paymentType: type, ...cardForm(random), ...captures, ...registers }
  return { channel: random.pick(channels), operation: 'createPayment', form, isNamed: true }
}

const refer: Draw = (random, records) => {
  const target = pickTarget(random, records.transactions, records)
  if (!target) return undefined
  const fitting = followUps[target.type] ?? ['RF']
  const paymentType = random.pick(random.chance(0.9) ? fitting : Object.keys(followUps))
  const more: Form = paymentType === 'PA' ? { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' } : {}
  const amount = paymentType === 'RV' && random.chance(0.7) ? {} : euros(random.pick(amounts))
  const form = { paymentType, ...amount, ...more }
  return { channel: target.channel, operation: 'referToPayment', id: target.id, form, isNamed: true }
}

const oneClick: Draw = (random, records) => {
  const target = pickTarget(random, records.registrations, records)
  if (!target) return undefined
  const form = { ...euros(random.pick(amounts)), paymentType: random.pick(['DB', 'PA']) }
  return { channel: target.channel, operation: 'payWithRegistration', id: target.id, form, isNamed: true }
}

const plan: Draw = (random, records) => {
  const target = pickTarget(random, records.registrations, records)
  if (!target) return undefined
  const hourly: Form = { 'job.month': '*', 'job.dayOfMonth': '*', 'job.hour': random.pick(['*', '0']) }
  const form = { registrationId: target.id, ...euros('9.20'), paymentType: 'DB', ...hourly }
  return { channel: target.channel, operation: 'createSchedule', form }
}

const endPlan: Draw = (random, records) => {
  const target = pickTarget(random, records.plans, records)
  return target && { channel: target.channel, operation: 'deschedule', id: target.id, form: {} }
}

const deregister: Draw = (random, records) => {
  const target = pickTarget(random, records.registrations, records)
  return target && { channel: target.channel, operation: 'deleteRegistration', id: target.id, form: {} }
}

const read: Draw = (random, records) => {
  const target = pickTarget(random, records.transactions, records)
  return target && { channel: target.channel, operation: 'getPayment', id: target.id, form: {} }
}

const weights: readonly (readonly [weight: number, draw: Draw])[] = [
  [15, begin],
  [52, refer],
  [10, oneClick],
  [8, plan],
  [3, endPlan],
  [2, deregister],
  [10, read],
]

const draws = weights.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw))

/** The last request again: each is allowed, but both together may exceed the amount. */
const repeatLast: Draw = ({ chance }, { last }) => (last?.id !== undefined && chance(0.45) ? last : undefined)

/** Draws a request; undefined if there is no record to which it could refer yet. */
export function drawRequest(random: Random, records: ShopRecords, number: number): ShopRequest | undefined {
  const drawn = repeatLast(random, records) ?? random.pick(draws)(random, records)
  if (!drawn) return undefined
  const { channel, operation, id = '', form, isNamed } = drawn
  records.last = drawn
  const name = `request-${String(number).padStart(4, '0')}`
  const complete = { entityId: channel.id, ...form, ...(isNamed && { merchantTransactionId: name }) }
  const idempotencyKey = operation !== 'getPayment' && random.chance(0.7) ? `key-${number}` : undefined
  const sent = { operation, id, token: channel.token, form: new URLSearchParams(complete).toString(), idempotencyKey }
  return { name, channel, sent }
}
