import { HOUR_MS } from '@tollgate/contract'
import { type ReadAsMerchant, createMerchantReader } from './read-as-merchant.ts'
import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { createResource } from './merchants.ts'
import { median, type Spread, spread } from './statistics.ts'
import { priorReference, SPACING_MS } from './store-payments.ts'
import type { MerchantAccess } from './workload.ts'

/** The rates of one kind of read, among few and among many stored payments. */
export interface ReadFigures {
  readonly name: string
  readonly fewPerSecond: number
  readonly manyPerSecond: number
  /** The rate among many payments ÷ the rate among few, of the same round. */
  readonly ratio: Spread
}

type Form = Readonly<Record<string, string>>

/** One read of a merchant. */
export interface Read {
  readonly merchant: MerchantAccess
  readonly path: string
  readonly parameters?: Form
}

/** Lists of reads, by the path and the filter of the GET. Each list is requested in a cycle. */
export type Reads = Readonly<Record<string, readonly Read[]>>

/** A gateway with `count` stored payments, `SPACING_MS` apart, the last of them at `untilMs`. */
export interface StoredGateway {
  readonly url: string
  readonly count: number
  readonly untilMs: number
}

/**
 * Creates the resources that are read besides payments. The caller then copies the data folder, so that both data sets
 * have the same ids.
 */
export async function prepareReads(url: string, merchants: readonly MerchantAccess[]): Promise<Reads> {
  async function createReads(path: string, count: number, form: (number: number) => Form): Promise<readonly Read[]> {
    const reads: Read[] = []
    const createNext = async () => {
      while (reads.length < count) {
        const number = reads.length
        const merchant = nth(merchants, number)
        const read = { merchant, path }
        reads.push(read)
        const parameters = { entityId: merchant.channel, ...form(number) }
        read.path += `/${await createResource(`${url}${path}`, merchant, parameters)}`
      }
    }
    await Promise.all(Array.from({ length: limits.readConnections }, createNext))
    return reads
  }
  /** Creates checkouts, and lists each as often as it may be read in a minute. */
  async function createCheckouts(form: Form, suffix: string): Promise<readonly Read[]> {
    const count = Math.ceil((limits.reads * (limits.readRounds + 1)) / limits.readsOfCheckout)
    const reads = await createReads('/v1/checkouts', count, () => form)
    const completeReads = reads.map((read) => ({ ...read, path: read.path + suffix }))
    return Array.from({ length: limits.readsOfCheckout }, () => completeReads).flat()
  }
  const registrations = await createReads('/v1/registrations', merchants.length, () => card)
  // A plan needs a first payment to which its shopper agreed.
  for (const { merchant, path } of registrations) {
    await createResource(`${url}${path}/payments`, merchant, { entityId: merchant.channel, ...amount, ...agreement })
  }
  const idOf = ({ path }: Read) => path.slice(path.lastIndexOf('/') + 1)
  const schedules = await createReads('/scheduling/v1/schedules', merchants.length, (number) => ({
    ...amount,
    paymentType: 'DB',
    registrationId: idOf(nth(registrations, number)),
    'job.expression': '0 0 12 1 * ?',
  }))
  return {
    '/v1/registrations/{id}': registrations,
    '/scheduling/v1/schedules/{id}': schedules,
    '/v1/threeDSecure/{id}': await createReads('/v1/threeDSecure', merchants.length, () => authentication),
    '/v1/checkouts/{id}/payment': await createCheckouts({ ...amount, paymentType: 'DB' }, '/payment'),
    '/v1/checkouts/{id}/registration': await createCheckouts({ createRegistration: 'true' }, '/registration'),
  }
}

/** Measures the rate of each GET of merchants among few and among many stored payments, in turn. */
export async function measureReads(
  few: StoredGateway,
  many: StoredGateway,
  merchants: readonly MerchantAccess[],
  prepared: Reads,
): Promise<readonly ReadFigures[]> {
  const readAs = createMerchantReader(limits.readConnections)
  const fewReads = { ...prepared, ...(await readsOfNewest(few.count, readAs, few, merchants)) }
  const manyReads: Reads = { ...prepared, ...(await readsOfNewest(few.count, readAs, many, merchants)) }
  return compareReads({ url: few.url, reads: fewReads }, { url: many.url, reads: manyReads })
}

/** A gateway with its lists of reads. */
interface ReadGateway {
  readonly url: string
  readonly reads: Reads
}

/**
 * Measures the rates of the same lists of reads at both gateways, in turn.
 *
 * @param isWarm whether each list is read once before it is measured, as storage in use has read the same blocks before
 */
export async function compareReads(
  few: ReadGateway,
  many: ReadGateway,
  isWarm = false,
): Promise<readonly ReadFigures[]> {
  const readAs = createMerchantReader(limits.readConnections)
  const figures: ReadFigures[] = []
  for (const [name, reads] of Object.entries(few.reads)) {
    const rounds: { readonly few: number; readonly many: number }[] = []
    const readsOfMany = many.reads[name] ?? []
    const [nextOfFew, nextOfMany] = [cycle(reads), cycle(readsOfMany)]
    if (isWarm) {
      await readAll(readAs, few, reads)
      await readAll(readAs, many, readsOfMany)
    }
    for (let round = 0; round <= limits.readRounds; round += 1) {
      const amongFew = () => measureRound(readAs, few, nextOfFew)
      const amongMany = () => measureRound(readAs, many, nextOfMany)
      const pair =
        round % 2 === 0
          ? { few: await amongFew(), many: await amongMany() }
          : { many: await amongMany(), few: await amongFew() }
      // The first round is a warm-up.
      if (round > 0) rounds.push(pair)
    }
    figures.push({
      name,
      fewPerSecond: median(rounds.map((pair) => pair.few)),
      manyPerSecond: median(rounds.map((pair) => pair.many)),
      ratio: spread(rounds.map((pair) => pair.many / pair.few)),
    })
  }
  return figures
}

/**
 * All reads of payments, spread over the newest payments: merchants read recent payments, and the rows that are read
 * are alike in both data sets.
 */
async function readsOfNewest(
  newestCount: number,
  readAs: ReadAsMerchant,
  gateway: StoredGateway,
  merchants: readonly MerchantAccess[],
): Promise<Reads> {
  const { count, untilMs } = gateway
  const listOf = <T>(length: number, item: (number: number) => T) => Array.from({ length }, (_, number) => item(number))
  const hours = listOf(limits.readHours, (number): Read => {
    const fromMs = untilMs - HOUR_MS - (newestCount * SPACING_MS - HOUR_MS) * (number / limits.readHours)
    const dateText = (atMs: number) => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
    const parameters = { 'date.from': dateText(fromMs), 'date.to': dateText(fromMs + HOUR_MS) }
    return { merchant: nth(merchants, number), path: '/v1/query', parameters }
  })
  const ids: Read[] = []
  for (const { merchant, path, parameters } of hours) {
    // The filter leaves out the authentications, registrations and plans, which are no debits.
    const page = { ...parameters, limit: '500', paymentTypes: 'DB' }
    const text = await readText(readAs, gateway.url, { merchant, path, parameters: page })
    for (const [, id = ''] of text.matchAll(/\{"id":"(\w{32})","paymentType"/g)) ids.push({ merchant, path: id })
  }
  const byId = (path: string) =>
    listOf(ids.length, (number) => nth(ids, number * STRIDE)).map((read) => ({ ...read, path: `${path}/${read.path}` }))
  const byReference = (path: string) =>
    listOf(limits.readReferences, (number): Read => {
      const index = count - newestCount + ((number * STRIDE) % newestCount)
      return { merchant: nth(merchants, index), path, parameters: { merchantTransactionId: priorReference(index) } }
    })
  return {
    '/v1/payments/{id}': byId('/v1/payments'),
    '/v1/query/{id}': byId('/v1/query'),
    '/v3/query/{id}': byId('/v3/query'),
    '/v1/query?merchantTransactionId=': byReference('/v1/query'),
    '/v3/query?merchantTransactionId=': byReference('/v3/query'),
    '/v1/query?date.from=&date.to=': hours,
    '/v3/query?date.from=&date.to=': hours.map((hour) => ({ ...hour, path: '/v3/query' })),
  }
}

/** Reads until the duration or the maximum number of reads of a round is reached. @returns reads per second */
async function measureRound(readAs: ReadAsMerchant, { url }: ReadGateway, next: () => Read): Promise<number> {
  const startedMs = performance.now()
  let count = 0
  const readNext = async () => {
    while (count < limits.reads && performance.now() - startedMs < limits.readMs) {
      count += 1
      await readText(readAs, url, next())
    }
  }
  await Promise.all(Array.from({ length: limits.readConnections }, readNext))
  return (count * 1000) / (performance.now() - startedMs)
}

/** Reads a whole list once. */
async function readAll(readAs: ReadAsMerchant, { url }: ReadGateway, reads: readonly Read[]): Promise<void> {
  const waiting = reads.values()
  const readRest = async () => {
    for (const read of waiting) await readText(readAs, url, read)
  }
  await Promise.all(Array.from({ length: limits.readConnections }, readRest))
}

async function readText(readAs: ReadAsMerchant, url: string, { merchant, path, parameters }: Read): Promise<string> {
  const address = new URL(`${path}?${String(new URLSearchParams({ entityId: merchant.channel, ...parameters }))}`, url)
  const { status, text } = await readAs(address, merchant)
  if (status !== 200) throw new BenchError(`GET ${path} was answered with ${status}: ${text}`)
  return text
}

function cycle(reads: readonly Read[]): () => Read {
  let number = 0
  return () => nth(reads, number++)
}

function nth<T>(list: readonly T[], number: number): T {
  const item = list[number % list.length]
  if (item === undefined) throw new BenchError('a list of reads is empty')
  return item
}

const amount = { amount: '92.00', currency: 'EUR' } as const

/** A card that is not enrolled in 3-D Secure. */
const card = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
} as const

const agreement = {
  paymentType: 'DB',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
} as const

/** A request for the authentication of an enrolled card. */
const authentication = {
  ...amount,
  ...card,
  'card.number': '4200000000000026',
  shopperResultUrl: 'https://shop.example/authenticated',
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'billing.street1': 'Main Street 1',
  'billing.city': 'London',
  'billing.postcode': 'N19GU',
  'billing.country': 'GB',
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'en',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
} as const

/** A large step between the indexes of consecutive reads. As a prime above all counts, it reaches all items. */
const STRIDE = 7_368_787
