import { type Aim, aims, assess } from './aims.ts'
import type { Machine } from './machine.ts'
import type { AcquirersReport } from './measure-acquirers.ts'
import { acquirerLines, acquirersText } from './report-acquirers.ts'
import { CPU_HEAD, cpuText } from './report-cpu.ts'
import type { OverloadReport } from './measure-overload.ts'
import type { AgainstReport } from './measure-against.ts'
import type { LongReport } from './measure-long.ts'
import { longLines, longText } from './report-long.ts'
import type { BytesReport } from './measure-bytes.ts'
import type { ProfileReport, ThreadProfile } from './measure-profile.ts'
import type { MoneyReport } from './measure-money.ts'
import { moneyAims, moneyLines, moneyText } from './report-money.ts'
import type { QueriesReport } from './measure-queries.ts'
import { type RateReport, type ServerFigures, type ServerName, serverNames } from './measure-rate.ts'
import type { StartupReport } from './measure-startup.ts'
import type { PostgresReport } from './measure-postgres.ts'
import type { ReadFigures } from './measure-reads.ts'
import type { StoredReport } from './measure-stored.ts'
import { archiveLines } from './report-archive.ts'
import type { VastReport } from './measure-vast.ts'
import type { LatencyFigures } from './latencies.ts'
import { limits } from './limits.ts'
import type { DeliveriesReport, EndpointsReport, LagReport } from './measure-webhooks.ts'
import type { WidgetReport } from './measure-widget.ts'
import type { Spread } from './statistics.ts'
import { fixed, grouped, type Line, spreadText, table } from './text-table.ts'

/** The figures of all measurements. The last line of the output is this report as JSON. */
export interface Report {
  readonly machine: Machine
  readonly quick: boolean
  /** Storage of the parts with stored payments and queries. */
  readonly storage: string
  readonly rate?: RateReport
  readonly against?: AgainstReport
  readonly bytes?: readonly BytesReport[]
  readonly startup?: StartupReport
  readonly postgres?: PostgresReport | undefined
  readonly stored?: StoredReport
  /** The figures with far more stored payments, on PostgreSQL. */
  readonly vast?: VastReport
  readonly long?: LongReport
  readonly money?: readonly MoneyReport[]
  readonly queries?: QueriesReport
  readonly acquirers?: AcquirersReport
  readonly overload?: OverloadReport
  readonly deliveries?: DeliveriesReport
  readonly lag?: LagReport
  readonly endpoints?: EndpointsReport
  readonly widget?: WidgetReport
  readonly profile?: ProfileReport
}

/** Formats a report as text: tables of the measured parts and, unless it is a profile, the figures with an aim. */
export function formatReport(report: Report): string {
  const {
    machine,
    rate,
    against,
    bytes,
    postgres,
    stored,
    vast,
    long,
    money,
    queries,
    acquirers,
    overload,
    deliveries,
    lag,
    endpoints,
    widget,
    profile,
  } = report
  const { cores, processor, memoryMb, system, node, loadTool, fsyncMs } = machine
  const parts = [
    `machine   ${cores} cores (${processor}), ${memoryMb} MB, ${system}, Node ${node}\n` +
      `          load by ${loadTool} on the same machine; an fsync takes ${fixed(fsyncMs, 2)} ms\n` +
      `workload  ${limits.merchants} merchants, forms of 20 parameters, varied card debits;\n` +
      `          log at info to a file, vault on, ${report.storage}, durable before the answer`,
    ...(rate ? [table(rateLines(rate))] : []),
    ...(against ? [table(againstLines(against))] : []),
    ...(bytes ? [table(bytesLines(bytes)), bytesText(bytes)] : []),
    ...(postgres ? [table(postgresLines(postgres))] : []),
    ...(stored ? [table(storedLines(stored)), table(readLines(stored))] : []),
    ...(vast ? [table(storedLines(vast)), table(readLines(vast))] : []),
    ...(vast?.archive ? [table(archiveLines(vast.archive))] : []),
    ...(long ? [longText(long), table(longLines(long))] : []),
    ...(money ? [table(moneyLines(money)), moneyText(money)] : []),
    ...(queries ? [table(queryLines(queries))] : []),
    ...(acquirers ? [table(acquirerLines(acquirers)), acquirersText(acquirers)] : []),
    ...(overload ? [table(overloadLines(overload)), overloadText(overload)] : []),
    ...(profile ? [profileText(profile)] : []),
    ...(deliveries || lag || endpoints ? [table(webhookLines(report))] : []),
    ...(widget ? [table(widgetLines(widget))] : []),
    ...(profile || against ? [] : [table(aimLines(report))]),
  ]
  return `${parts.join('\n\n')}\n`
}

function rateLines({ levels }: RateReport): Line[] {
  const order: readonly ServerName[] = ['bare', 'ready', 'tollgate']
  const rows = levels.flatMap(({ connections, sides, ratio, ratioToReady, cpuRatio }) => {
    const ratios = { bare: spreadText(ratio), ready: spreadText(ratioToReady), tollgate: '' }
    const cpuRatios = { bare: cpuRatio ? spreadText(cpuRatio) : '-', ready: '', tollgate: '' }
    return order.map((name) => {
      const { perSecond, meanMs, p50Ms, p99Ms, cpu } = sides[name]
      const latencies = [meanMs, p50Ms, p99Ms].map((ms) => fixed(ms, 2))
      const figures = [fixed(perSecond, 0), ...latencies, cpuText(cpu), ratios[name], cpuRatios[name]]
      return [String(connections), serverNames[name], ...figures]
    })
  })
  const head = ['connections', 'server', 'answers/s', 'mean ms', 'p50 ms', 'p99 ms']
  return [[...head, CPU_HEAD, 'Tollgate ÷ this server (min to max)', '… in CPU'], ...rows]
}

function againstLines({ directory, rounds, own, other, ratio, cpuRatio }: AgainstReport): Line[] {
  const line = (name: string, { perSecond, meanMs, p99Ms, cpu }: ServerFigures) => [
    name,
    fixed(perSecond, 0),
    fixed(meanMs, 2),
    fixed(p99Ms, 2),
    cpuText(cpu),
  ]
  return [
    [`${limits.connectionsFull} connections, ${rounds} rounds`, 'answers/s', 'mean ms', 'p99 ms', CPU_HEAD],
    line('this build', own),
    line(directory, other),
    ['this build ÷ the other (min to max)', spreadText(ratio), '', '', cpuRatio ? spreadText(cpuRatio) : '-'],
  ]
}

function bytesLines(reports: readonly BytesReport[]): Line[] {
  return [
    ['bytes a stored payment', 'payments', 'table with the largest share', 'write-ahead log', 'bytes'],
    ...reports.map(({ storage, payments, tables: [largest], logBytesPerPayment, bytesPerPayment }) => [
      storage,
      grouped(payments),
      largest ? `${largest.name} ${fixed(largest.bytesPerPayment, 0)}` : '-',
      logBytesPerPayment === null ? 'not measured' : fixed(logBytesPerPayment, 0),
      fixed(bytesPerPayment, 0),
    ]),
  ]
}

/** The tables of which a payment takes at least a byte. */
function bytesText(reports: readonly BytesReport[]): string {
  const lines = reports.map(({ storage, tables }) => {
    const shares = tables.filter(({ bytesPerPayment }) => bytesPerPayment >= 1)
    return `${storage}: ${shares.map((share) => `${share.name} ${fixed(share.bytesPerPayment, 0)}`).join(', ')}`
  })
  return lines.join('\n')
}

function postgresLines({ gateways, pgbenchPerSecond }: PostgresReport): Line[] {
  return [
    [`on PostgreSQL, ${limits.connectionsFull} clients`, 'per second', 'p50 ms', 'p99 ms', 'ratio (min to max)'],
    ['pgbench, prepared', fixed(pgbenchPerSecond, 0), '', '', ''],
    ...gateways.map(({ perSecond, p50Ms, p99Ms, ratio }, index) => [
      `payments, ${index === 0 ? 'one gateway' : 'two gateways'}`,
      fixed(perSecond, 0),
      fixed(p50Ms, 2),
      fixed(p99Ms, 2),
      spreadText(ratio),
    ]),
  ]
}

function storedLines({ few, many, ratio }: StoredReport): Line[] {
  return [
    ['stored payments', 'payments/s', 'p99 ms', 'ratio (min to max)'],
    [grouped(few.payments), fixed(few.perSecond, 0), fixed(few.p99Ms, 2), ''],
    [grouped(many.payments), fixed(many.perSecond, 0), fixed(many.p99Ms, 2), spreadText(ratio)],
  ]
}

function readLines({ few, many, reads }: StoredReport): Line[] {
  const heading = ({ payments }: { readonly payments: number }) => `per second among ${grouped(payments)} payments`
  return [
    [`GET, ${limits.readConnections} connections`, heading(few), heading(many), 'ratio (min to max)'],
    ...reads.map(({ name, fewPerSecond, manyPerSecond, ratio }) => [
      name,
      fixed(fewPerSecond, 0),
      fixed(manyPerSecond, 0),
      spreadText(ratio),
    ]),
  ]
}

function queryLines({ payments, byId, byReference, byDay, firstPage, byShortId }: QueriesReport): Line[] {
  const line = (name: string, { p50Ms, p99Ms, maxMs }: LatencyFigures) => [
    name,
    ...[p50Ms, p99Ms, maxMs].map((ms) => (ms === null ? '' : fixed(ms, 1))),
  ]
  return [
    [`queries among ${grouped(payments)}`, 'p50 ms', 'p99 ms', 'max ms'],
    line('by id', byId),
    line('by merchantTransactionId', byReference),
    line('500 transactions of a day', byDay),
    line('first page of a day, with the number of pages', firstPage),
    line('only by short id', byShortId),
  ]
}

function overloadLines({ seconds, overload, fairness }: OverloadReport): Line[] {
  const line = (name: string, { count, p50Ms, p99Ms, maxMs }: LatencyFigures, spanSeconds: number) => [
    name,
    fixed(count / spanSeconds, 0),
    ...[p50Ms, p99Ms, maxMs].map((ms) => (ms === null ? '' : fixed(ms, 1))),
  ]
  const { rounds } = fairness
  const fairSeconds = rounds.reduce((sum, { alone }) => sum + alone.sent / fairness.perSecond, 0) / rounds.length
  return [
    ['overload', 'per second', 'p50 ms', 'p99 ms', 'max ms'],
    line('accepted', overload.accepted, seconds),
    line('refused', overload.refused, seconds),
    ...rounds.flatMap(({ alone, flooded, flood }) => [
      line('a merchant alone', alone.accepted, fairSeconds),
      line('the merchant beside a flood, accepted', flooded.accepted, fairSeconds),
      line('the merchant beside a flood, refused', flooded.refused, fairSeconds),
      line('the flood, accepted', flood.accepted, fairSeconds),
      line('the flood, refused', flood.refused, fairSeconds),
    ]),
  ]
}

function overloadText({ capacityPerSecond, overload, fairness }: OverloadReport): string {
  const { offeredPerSecond, sent, notSent, failures, residentMb } = overload
  return (
    `${grouped(capacityPerSecond)}/s in a closed loop, ${grouped(offeredPerSecond)}/s offered: ` +
    `${grouped(sent)} sent, ${grouped(notSent)} not sent, because all ${grouped(limits.overloadConnections)} ` +
    'connections were in use, ' +
    `${grouped(failures)} failed\n` +
    `resident memory over that time, MB: ${residentMb.join(' ')}\n` +
    `p99 of a merchant alone ${spreadText(fairness.aloneP99Ms)} ms, ` +
    `beside a flood ${spreadText(fairness.floodedP99Ms)} ms, ${fixed(fairness.refusedShare * 100, 2)} % refused`
  )
}

function webhookLines({ deliveries, lag, endpoints }: Report): Line[] {
  const ratio = (neighbour: string, value: Spread) => [
    `p99 of healthy endpoints ÷ a run without failures, beside ${neighbour}`,
    spreadText(value),
  ]
  return [
    ['webhooks', ''],
    ...(deliveries
      ? [
          ['deliveries/s to one endpoint', fixed(deliveries.perSecond, 0)],
          ['  CPU per delivery, main + other threads', cpuText(deliveries.cpu)],
        ]
      : []),
    ...(lag
      ? [
          [`lag at ${grouped(lag.perSecond)} payments/s, p50 ms`, fixed(lag.p50Ms, 0)],
          ['  p99 ms', fixed(lag.p99Ms, 0)],
          ['  max ms', fixed(lag.maxMs, 0)],
        ]
      : []),
    ...(endpoints
      ? [
          [
            `p99 of ${endpoints.endpoints - 1} of ${endpoints.endpoints} at ${endpoints.perSecond} payments/s, ms`,
            fixed(endpoints.healthyP99Ms, 0),
          ],
          ratio('a dead endpoint', endpoints.dead),
          ratio('a silent endpoint', endpoints.silent),
        ]
      : []),
  ]
}

function widgetLines({ loaderKb, formKb, frameKb, usable }: WidgetReport): Line[] {
  const { width } = limits.phone
  const time = (name: string, ms: Spread) => [
    name,
    `${fixed(ms.median, 0)} (${fixed(ms.min, 0)} to ${fixed(ms.max, 0)})`,
  ]
  return [
    ['widget', ''],
    ['loader, kB compressed', fixed(loaderKb, 1)],
    ['form and its styles, kB compressed', fixed(formKb, 1)],
    ['frame of a field, kB compressed', fixed(frameKb, 1)],
    ...(usable
      ? [
          [`usable form for a card, ${width} px, processor ÷ ${limits.phoneCpuSlowdown}, slow 4G, ms`, ''],
          time('  with an empty cache', usable.coldMs),
          time('  with a warm cache', usable.warmMs),
        ]
      : []),
  ]
}

function profileText({ payments, perSecond, cpu, threads }: ProfileReport): string {
  const title =
    `${grouped(payments)} payments under the profiler, ${fixed(perSecond, 0)}/s\n` +
    `processor time per payment, main + other threads: ${cpuText(cpu)}`
  return [title, ...threads.map(threadText)].join('\n\n')
}

function threadText({ name, busyUs, busyShare, areas, functions }: ThreadProfile): string {
  const title = `thread ${name}: ${fixed(busyUs, 1)} µs per payment, busy ${fixed(busyShare * 100, 0)} % of the time`
  const byArea = areas.map(({ area, us, share }) => [area, fixed(us, 1), `${fixed(share * 100, 1)} %`])
  const byFunction = functions.map((cost) => [fixed(cost.us, 2), cost.area, cost.name])
  return [
    title,
    table([['area', 'µs', 'share'], ...byArea]),
    table([['self µs', 'area', 'function'], ...byFunction]),
  ].join('\n\n')
}

function aimLines({
  rate,
  bytes,
  postgres,
  startup,
  stored,
  vast,
  long,
  money,
  queries,
  acquirers,
  deliveries,
  lag,
  endpoints,
  widget,
}: Report): Line[] {
  const full = rate?.levels.find(({ connections }) => connections === limits.connectionsFull)
  const connectionsText = `at ${limits.connectionsFull} connections`
  const lines: (Line | undefined)[] = [
    full &&
      aimLine(`durable payments/s ÷ bare Fastify ${connectionsText}`, full.ratio.median, 2, '', aims.fastifyRatio),
    full?.cpuRatio
      ? aimLine(
          `processor time of all threads ÷ bare Fastify ${connectionsText}`,
          full.cpuRatio.median,
          2,
          '',
          aims.cpuRatio,
        )
      : undefined,
    full && aimLine(`p99 ÷ mean ${connectionsText}`, full.p99Ratio.median, 2, '', aims.p99Ratio),
    full && aimLine(`p99 ${connectionsText}`, full.sides.tollgate.p99Ms, 1, ' ms', aims.p99Ms),
    ...(bytes ?? []).map(({ storage, bytesPerPayment }) =>
      aimLine(`bytes a stored payment on ${storage}`, bytesPerPayment, 0, '', aims.bytesPerPayment),
    ),
    postgres &&
      aimLine('payments/s on PostgreSQL ÷ pgbench', postgres.gateways[0].ratio.median, 2, '', aims.postgresRatio),
    ...(stored ? storedAimLines(stored, aims.storedRatio) : []),
    ...(vast ? storedAimLines(vast, aims.vastRatio) : []),
    ...(vast?.archive?.changes ?? []).map(({ name, ratio }) =>
      aimLine(`p99 of payments while ${name} ÷ before`, ratio.median, 2, '', aims.partitionsRatio),
    ),
    acquirers && aimLine('payments/s at a host ÷ in the process', acquirers.host.ratio.median, 2, '', aims.hostRatio),
    acquirers &&
      aimLine('payments/s at a provider ÷ in the process', acquirers.upstream.ratio.median, 2, '', aims.upstreamRatio),
    acquirers && aimLine('payments/s at a slow host', acquirers.slow.acceptedPerSecond, 0, '', aims.slowHostPerSecond),
    long && aimLine('p99 of mixed traffic, late ÷ early', long.p99Drift, 2, '', aims.p99Drift),
    long && aimLine('resident memory of mixed traffic, late ÷ early', long.memoryDrift, 2, '', aims.memoryDrift),
    long && aimLine('bytes a stored transaction, late ÷ early', long.bytesDrift, 2, '', aims.bytesDrift),
    ...moneyAims(money ?? []).map(({ name, value, digits, unit, aim }) => aimLine(name, value, digits, unit, aim)),
    queries && aimLine('p99 of a query by id', queries.byId.p99Ms ?? 0, 1, ' ms', aims.queryP99Ms),
    queries &&
      aimLine('p99 of a query by merchantTransactionId', queries.byReference.p99Ms ?? 0, 1, ' ms', aims.queryP99Ms),
    queries && aimLine('500 transactions of a day, p50', queries.byDay.p50Ms ?? 0, 1, ' ms', aims.queryPageMs),
    startup &&
      aimLine('process start to first approved payment', startup.firstPaymentMs, 0, ' ms', aims.firstPaymentMs),
    rate?.memory
      ? aimLine('resident memory under load, peak', rate.memory.residentPeakMb, 0, ' MB', aims.residentMb)
      : undefined,
    deliveries && aimLine('deliveries/s to one endpoint', deliveries.perSecond, 0, '', aims.deliveriesPerSecond),
    lag && aimLine(`p99 of the lag at ${grouped(lag.perSecond)} payments/s`, lag.p99Ms, 0, ' ms', aims.lagP99Ms),
    endpoints &&
      aimLine('p99 beside a dead endpoint ÷ p99 without one', endpoints.dead.median, 2, '', aims.healthyLagRatio),
    endpoints &&
      aimLine('p99 beside a silent endpoint ÷ p99 without one', endpoints.silent.median, 2, '', aims.healthyLagRatio),
    widget && aimLine('loader of the widget, compressed', widget.loaderKb, 1, ' kB', aims.loaderKb),
    widget && aimLine('frame of the widget, compressed', widget.frameKb, 1, ' kB', aims.frameKb),
  ]
  return [['', 'measured', 'aim', 'required', ''], ...lines.filter((line) => line !== undefined)]
}

function storedAimLines(stored: StoredReport, aim: Aim): Line[] {
  const { few, many, ratio } = stored
  const slowest = readWithLowestRatio(stored)
  const name = `rate with ${grouped(many.payments)} stored ÷ with ${grouped(few.payments)}`
  return [
    aimLine(name, ratio.median, 2, '', aim),
    aimLine(`… of the GET with the lowest ratio: ${slowest.name}`, slowest.ratio.median, 2, '', aim),
  ]
}

const readWithLowestRatio = ({ reads }: StoredReport): ReadFigures =>
  reads.reduce((lowest, read) => (read.ratio.median < lowest.ratio.median ? read : lowest))

function aimLine(name: string, value: number, digits: number, unit: string, aim: Aim): Line {
  return [name, `${fixed(value, digits)}${unit}`, `${aim.aim}${unit}`, `${aim.required}${unit}`, assess(value, aim)]
}
