import { join } from 'node:path'
import { openSqlite, type Unit } from '@tollgate/storage'
import { BenchError } from './bench-error.ts'
import { type EndpointFigures, lagPercentile, type EndpointBehaviour, openEndpoints } from './endpoints.ts'
import { loadAtRate } from './load-at-rate.ts'
import { type Effort, limits } from './limits.ts'
import { createMerchants, pay } from './merchants.ts'
import { cpuPerAnswer, type CpuPerAnswer, usageOf } from './process-usage.ts'
import { scratch } from './clean-up.ts'
import { serveGateway } from './server-process.ts'
import { median, type Spread, spread } from './statistics.ts'
import { prepareRequests } from './workload.ts'

/** Deliveries of prepared events to one endpoint, on an otherwise idle gateway. */
export interface DeliveriesReport {
  readonly deliveries: number
  readonly perSecond: number
  readonly cpu: CpuPerAnswer | null
}

/** The lag from an event to its arrival at one endpoint, while payments are made. */
export interface LagReport {
  readonly payments: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** The lag, from an event to its arrival, at ten endpoints of which the last is up, dead or silent. */
export interface EndpointsReport {
  readonly endpoints: number
  readonly perSecond: number
  readonly healthyP99Ms: number
  /** The p99 of the nine healthy endpoints beside a dead one ÷ their p99 beside a tenth healthy one, of each round. */
  readonly dead: Spread
  /** The same ratio with a silent endpoint in place of the dead one. */
  readonly silent: Spread
}

type Print = (line: string) => void

/**
 * Measures deliveries per second to one endpoint. The deliveries are prepared before the gateway starts. About the
 * first quarter is not measured, because the gateway is still warming up.
 */
export async function measureDeliveries(effort: Effort, print: Print): Promise<DeliveriesReport> {
  const data = scratch('deliveries')
  const first = await serveGateway(data)
  const { merchants, division } = await createMerchants(first.manageUrl)
  const endpoints = await openEndpoints(first.manageUrl, division, 1)
  for (const [number, merchant] of merchants.entries()) await pay(first.url, merchant, number)
  await endpoints.untilDelivered(merchants.length)
  await first.stop()
  await prepareDeliveries(data, effort.deliveries)
  await endpoints.reset()

  const gateway = await serveGateway(data)
  const warmUp = Math.floor(effort.deliveries / 4)
  await endpoints.untilDelivered(warmUp)
  const warmedUp = (await endpoints.reset())[0]?.count ?? 0
  const before = usageOf(gateway.pid)
  const [figures] = await endpoints.untilDelivered(effort.deliveries - warmedUp)
  const cpu = cpuPerAnswer(before, usageOf(gateway.pid), figures?.count ?? 0)
  await gateway.stop()
  await endpoints.stop()
  if (!figures) throw new Error('the endpoint has no figures')
  const perSecond = figures.count / figures.seconds
  print(`deliveries: ${Math.round(perSecond)}/s`)
  return { deliveries: figures.count, perSecond, cpu }
}

/** Adds events with due deliveries to a data folder: copies of an event and of its completed delivery. */
async function prepareDeliveries(data: string, count: number): Promise<void> {
  const storage = await openSqlite({ file: join(data, 'tollgate.db') })
  const [event] = await storage.eventsBelow('g', 1)
  const [job] = await storage.doneJobsBelow('g', 1)
  if (!event || !job) throw new BenchError('the gateway has stored no delivery to copy')
  const atMs = Date.now()
  const notAttempted = { due_at_ms: atMs, created_at_ms: atMs, attempts: 0, done_at_ms: null }
  for (let from = 0; from < count; from += limits.preparedDepth) {
    const units: Promise<unknown>[] = []
    for (let number = from; number < Math.min(count, from + limits.preparedDepth); number += 1) {
      const id = (kind: string) => `${atMs.toString(16).padStart(12, '0')}${kind}${String(number).padStart(19, '0')}`
      const unit: Unit = {
        id: id('f'),
        expectedVersions: [],
        rows: {
          event: [{ ...event, id: id('e'), root_id: id('e') }],
          job: [{ ...job, ...notAttempted, id: id('d'), subject_id: id('e'), line: id('e') }],
        },
      }
      units.push(storage.commit(unit))
    }
    await Promise.all(units)
  }
  await storage.close()
}

/** Measures the lag from a payment to its delivery, at a steady rate of payments. */
export async function measureLag(effort: Effort, print: Print): Promise<LagReport> {
  const perSecond = limits.lagPaymentsPerSecond
  const { figures, payments } = await payAndDeliver(scratch('lag'), { count: 1, perSecond, seconds: effort.lagSeconds })
  const [p50Ms, p99Ms, maxMs] = [lagPercentile(50, figures), lagPercentile(99, figures), lagPercentile(100, figures)]
  print(`lag: p50 ${p50Ms} ms, p99 ${p99Ms} ms at ${perSecond} payments/s`)
  return { payments, perSecond, p50Ms, p99Ms, maxMs }
}

/** Measures whether a dead or silent endpoint delays healthy endpoints. Each run has a gateway of its own. */
export async function measureEndpoints(effort: Effort, print: Print): Promise<EndpointsReport> {
  const count = limits.endpoints
  const perSecond = limits.endpointsPaymentsPerSecond
  const rounds: Record<EndpointBehaviour, number>[] = []
  for (let round = 0; round < effort.rounds; round += 1) {
    const measure = async (last: EndpointBehaviour) => {
      const data = scratch(`endpoints-${round}-${last}`)
      const { figures } = await payAndDeliver(data, { count, perSecond, seconds: effort.endpointsSeconds, last })
      return lagPercentile(99, figures.slice(0, -1))
    }
    const p99s =
      round % 2 === 0
        ? { up: await measure('up'), dead: await measure('dead'), silent: await measure('silent') }
        : { silent: await measure('silent'), dead: await measure('dead'), up: await measure('up') }
    rounds.push(p99s)
    print(
      `endpoints: round ${round + 1} of ${effort.rounds}: p99 of nine endpoints ${p99s.up} ms, ` +
        `beside a dead endpoint ${p99s.dead} ms, beside a silent endpoint ${p99s.silent} ms`,
    )
  }
  return {
    endpoints: count,
    perSecond,
    healthyP99Ms: median(rounds.map(({ up }) => up)),
    dead: spread(rounds.map(({ dead, up }) => dead / up)),
    silent: spread(rounds.map(({ silent, up }) => silent / up)),
  }
}

interface PaymentLoad {
  /** The number of endpoints. */
  readonly count: number
  readonly perSecond: number
  readonly seconds: number
  /** Behaviour of the last endpoint. */
  readonly last?: EndpointBehaviour
}

/**
 * Pays at a gateway that sends the events of all payments to every endpoint, and reports the deliveries after a
 * warm-up.
 */
async function payAndDeliver(
  data: string,
  { count, perSecond, seconds, last = 'up' }: PaymentLoad,
): Promise<{ figures: readonly EndpointFigures[]; payments: number }> {
  const gateway = await serveGateway(data)
  const { merchants, division } = await createMerchants(gateway.manageUrl)
  const endpoints = await openEndpoints(gateway.manageUrl, division, count)
  const requests = prepareRequests(merchants)
  const healthy = last === 'up' ? count : count - 1
  let warmUp = 0
  // A cold gateway would refuse a rate that it accepts when warm.
  for (const share of limits.rateWarmUpShares) {
    warmUp += await loadAtRate(gateway.url, requests, {
      perSecond: perSecond * share,
      seconds: limits.rateWarmUpSeconds,
    })
  }
  await endpoints.untilDelivered(warmUp)
  await endpoints.setBehaviour(count - 1, last)
  await endpoints.reset()
  const payments = await loadAtRate(gateway.url, requests, { perSecond, seconds })
  const figures = await endpoints.untilDelivered(payments, healthy)
  await gateway.stop()
  await endpoints.stop()
  return { figures, payments }
}
