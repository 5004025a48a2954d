import type { SentForm } from '@tollgate/gateway/testing'
import type { Random } from '../support/random.ts'
import { type Channel, channels } from './merchants.ts'

/** A request of a shop. */
export interface Wish {
  /** Its merchantTransactionId, which no other request has. */
  readonly name: string
  readonly channel: Channel
  readonly sent: SentForm
  /** The id that it refers to, '' for none. */
  readonly about: string
}

/** A transaction that a shop knows from an answer. */
interface Known {
  readonly id: string
  readonly type: string
  readonly channel: Channel
}

/** The transactions, registrations and plans that shops know, newest last. */
export interface Knowledge {
  readonly transactions: Known[]
  readonly registrations: Known[]
  readonly plans: Known[]
  /** The subject of the last request. */
  lately: Drawn | undefined
}

export const ignorance = (): Knowledge => ({ transactions: [], registrations: [], plans: [], lately: undefined })

type Form = Readonly<Record<string, string>>

/** A kind of request: its parameters, or undefined if shops know no transaction for it. */
type Draw = (random: Random, known: Knowledge) => Drawn | undefined

interface Drawn {
  readonly channel: Channel
  readonly operation: SentForm['operation']
  readonly id?: string
  readonly form: Form
  /** Whether its transaction has the name of the request. */
  readonly isNamed?: true
}

/** Few amounts, so that their sums equal or exceed the authorised one. */
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

/** The operations that may follow a type, the usual ones more often. */
const moves: Readonly<Record<string, readonly string[]>> = {
  PA: ['CP', 'CP', 'CP', 'CP', 'RV', 'PA'],
  DB: ['RF', 'RF', 'RF', 'RV', 'RB', 'CB'],
  CD: ['RF'],
  CP: ['RF', 'RF', 'RV', 'CB', 'RB'],
  RB: ['RF', 'RF', 'RV', 'CB'],
  RF: ['CB'],
  CB: ['CR'],
  CR: ['CB'],
}

/** One of the newest, and often that of the last request, so that several requests concern it at the same time. */
function hot({ pick, chance }: Random, items: readonly Known[], { lately }: Knowledge): Known | undefined {
  if (items.length === 0) return undefined
  const again = items.find(({ id }) => id === lately?.id)
  return again && chance(0.6) ? again : pick(items.slice(-6))
}

const begin: Draw = (random) => {
  const type = random.pick(['PA', 'PA', 'DB', 'DB', 'DB', 'CD'])
  const captures: Form = type === 'PA' ? { numberOfCaptures: String(1 + random.below(4)) } : {}
  const registers = type !== 'CD' && random.chance(0.3) ? agreement : {}
  const form = { ...euros('92.00'), paymentType: type, ...cardForm(random), ...captures, ...registers }
  return { channel: random.pick(channels), operation: 'createPayment', form, isNamed: true }
}

const refer: Draw = (random, known) => {
  const target = hot(random, known.transactions, known)
  if (!target) return undefined
  const fitting = moves[target.type] ?? ['RF']
  const paymentType = random.pick(random.chance(0.9) ? fitting : Object.keys(moves))
  const more: Form = paymentType === 'PA' ? { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' } : {}
  const amount = paymentType === 'RV' && random.chance(0.7) ? {} : euros(random.pick(amounts))
  const form = { paymentType, ...amount, ...more }
  return { channel: target.channel, operation: 'referToPayment', id: target.id, form, isNamed: true }
}

const oneClick: Draw = (random, known) => {
  const target = hot(random, known.registrations, known)
  if (!target) return undefined
  const form = { ...euros(random.pick(amounts)), paymentType: random.pick(['DB', 'PA']) }
  return { channel: target.channel, operation: 'payWithRegistration', id: target.id, form, isNamed: true }
}

const plan: Draw = (random, known) => {
  const target = hot(random, known.registrations, known)
  if (!target) return undefined
  const hourly: Form = { 'job.month': '*', 'job.dayOfMonth': '*', 'job.hour': random.pick(['*', '0']) }
  const form = { registrationId: target.id, ...euros('9.20'), paymentType: 'DB', ...hourly }
  return { channel: target.channel, operation: 'createSchedule', form }
}

const endPlan: Draw = (random, known) => {
  const target = hot(random, known.plans, known)
  return target && { channel: target.channel, operation: 'deschedule', id: target.id, form: {} }
}

const deregister: Draw = (random, known) => {
  const target = hot(random, known.registrations, known)
  return target && { channel: target.channel, operation: 'deleteRegistration', id: target.id, form: {} }
}

const look: Draw = (random, known) => {
  const target = hot(random, known.transactions, known)
  return target && { channel: target.channel, operation: 'getPayment', id: target.id, form: {} }
}

const shares: readonly (readonly [share: number, draw: Draw])[] = [
  [15, begin],
  [52, refer],
  [10, oneClick],
  [8, plan],
  [3, endPlan],
  [2, deregister],
  [10, look],
]

const draws = shares.flatMap(([share, draw]) => Array.from({ length: share }, () => draw))

/** Two equal requests: each is allowed, both together may exceed the amount. */
const twin: Draw = ({ chance }, { lately }) => (lately?.id !== undefined && chance(0.45) ? lately : undefined)

/** A request drawn from the seed; undefined where shops know no transaction for it yet. */
export function drawWish(random: Random, known: Knowledge, number: number): Wish | undefined {
  const drawn = twin(random, known) ?? random.pick(draws)(random, known)
  if (!drawn) return undefined
  const { channel, operation, id = '', form, isNamed } = drawn
  known.lately = drawn
  const name = `wish-${String(number).padStart(4, '0')}`
  const whole = { entityId: channel.id, ...form, ...(isNamed && { merchantTransactionId: name }) }
  const idempotencyKey = operation !== 'getPayment' && random.chance(0.7) ? `key-${number}` : undefined
  const sent = { operation, id, token: channel.token, form: new URLSearchParams(whole).toString(), idempotencyKey }
  return { name, channel, sent, about: id === '' ? (form['registrationId'] ?? '') : id }
}
