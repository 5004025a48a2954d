import { DAY_MS } from '@tollgate/contract'
import { createMerchantReader } from './read-as-merchant.ts'
import { BenchError } from './bench-error.ts'
import { createLatencies, type LatencyFigures } from './latencies.ts'
import { type Effort, limits } from './limits.ts'
import { createMerchants, payModels } from './merchants.ts'
import { scratch } from './clean-up.ts'
import { serveGateway } from './server-process.ts'
import { priorReference, SPACING_MS, storePayments } from './store-payments.ts'
import type { Store } from './store.ts'
import type { MerchantAccess } from './workload.ts'

export interface QueriesReport {
  readonly payments: number
  readonly byId: LatencyFigures
  readonly byReference: LatencyFigures
  /** Up to 500 transactions of one merchant on one day. */
  readonly byDay: LatencyFigures
  /** The first page of the transactions of a day, with the number of pages. */
  readonly firstPage: LatencyFigures
  /** By short id only: a scan of all stored payments. */
  readonly byShortId: LatencyFigures
}

/** Measures the latency of queries among many stored payments, one after another on an otherwise idle gateway. */
export async function measureQueries(
  store: Store,
  effort: Effort,
  print: (line: string) => void,
): Promise<QueriesReport> {
  const data = scratch('queries')
  const preparing = await serveGateway(data)
  const { merchants } = await createMerchants(preparing.manageUrl)
  const models = await payModels(preparing.url, merchants)
  await preparing.stop()
  const stored = { count: effort.storedMany, untilMs: Date.now() }
  await storePayments(data, models, stored.count)
  print(`queries: ${stored.count} payments prepared`)

  const gateway = await serveGateway(data, [], await store.migrate(data))
  const readAs = createMerchantReader(1)
  const merchantOf = (number: number): MerchantAccess => {
    const merchant = merchants[number % merchants.length]
    if (!merchant) throw new BenchError('the workload has no merchants')
    return merchant
  }
  const query = async (
    merchant: MerchantAccess,
    path: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<string> => {
    const address = new URL(
      `${path}?${String(new URLSearchParams({ entityId: merchant.channel, ...parameters }))}`,
      gateway.url,
    )
    const { status, text } = await readAs(address, merchant)
    if (status !== 200) throw new BenchError(`${address.pathname} was answered with ${status}: ${text}`)
    return text
  }
  const measureLatencies = async (
    times: number,
    read: (number: number) => Promise<unknown>,
  ): Promise<LatencyFigures> => {
    const latencies = createLatencies()
    // The first half warms up, with different arguments.
    for (let number = 0; number < 2 * times; number += 1) {
      const startedMs = performance.now()
      await read(number)
      if (number >= times) latencies.add(performance.now() - startedMs)
    }
    return latencies.figures()
  }
  /** The index of a payment. The indexes are spread over all payments, and are the same in each run. */
  const spreadIndex = (number: number) => (number * 7_368_787) % stored.count
  const dayOf = (number: number) => {
    const days = Math.max(1, Math.floor((stored.count * SPACING_MS) / DAY_MS) - 1)
    const startMs = stored.untilMs - (1 + (number % days)) * DAY_MS
    const dateText = (atMs: number) => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
    return { 'date.from': dateText(startMs), 'date.to': dateText(startMs + DAY_MS), limit: '500' }
  }
  const byReference = await measureLatencies(limits.queries, (number) => {
    const index = spreadIndex(number)
    return query(merchantOf(index), '/v1/query', { merchantTransactionId: priorReference(index) })
  })
  const byDay = await measureLatencies(limits.queryPages, (number) =>
    query(merchantOf(number), '/v1/query', dayOf(number)),
  )
  const firstPage = await measureLatencies(limits.queryPages, (number) =>
    query(merchantOf(number), '/v3/query', dayOf(number)),
  )
  const ids: { readonly merchant: MerchantAccess; readonly id: string }[] = []
  for (let number = 0; number < limits.queryPages; number += 1) {
    const merchant = merchantOf(number)
    const text = await query(merchant, '/v1/query', dayOf(number))
    for (const [, id = ''] of text.matchAll(/\{"id":"(\w{32})","paymentType"/g)) ids.push({ merchant, id })
  }
  const byId = await measureLatencies(limits.queries, (number) => {
    const payment = ids[spreadIndex(number) % ids.length]
    if (!payment) throw new BenchError('the queried days have no payments')
    return query(payment.merchant, `/v1/query/${payment.id}`, {})
  })
  const byShortId = await measureLatencies(limits.queryScans, async (number) => {
    const merchant = merchantOf(number)
    const { status } = await readAs(
      new URL(`${gateway.url}/v1/query?entityId=${merchant.channel}&shortId=none`),
      merchant,
    )
    if (status !== 404) throw new BenchError(`a query by an unknown short id was answered with ${status}`)
  })
  await gateway.stop()
  return { payments: stored.count, byId, byReference, byDay, firstPage, byShortId }
}
