import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { limits } from '../limits.ts'
import { type Metric, metrics } from './metrics.ts'
import { type Parts, takeSnapshot, type MetricsSnapshot } from './snapshot.ts'

/** The answer to a scrape. */
export interface Scrape {
  readonly contentType: string
  readonly text: string
}

/**
 * Creates the function that renders the metrics of Tollgate and of the process in the text format of Prometheus. The
 * metrics of the process are collected from the first scrape on, so that the event loop is not sampled without need.
 */
export function createScrape(parts: Parts): () => Promise<Scrape> {
  let prepared:
    | { readonly registry: Registry; readonly updates: readonly ((snapshot: MetricsSnapshot) => void)[] }
    | undefined

  function prepare() {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: limits.eventLoopSampleMs })
    return { registry, updates: metrics.map((metric) => instrumentOf(metric, registry)) }
  }

  return async () => {
    const snapshot = await takeSnapshot(parts)
    const { registry, updates } = (prepared ??= prepare())
    for (const update of updates) update(snapshot)
    return { contentType: registry.contentType, text: await registry.metrics() }
  }
}

/** @returns a function that copies the values of a snapshot into the registry */
function instrumentOf(metric: Metric, registry: Registry): (snapshot: MetricsSnapshot) => void {
  const head = { name: metric.name, help: metric.help, labelNames: metric.labels, registers: [registry] }
  if (metric.type === 'histogram') {
    const histogram = new Histogram({ ...head, buckets: limits.durationBoundsMs.map((ms) => ms / 1000) })
    let values: readonly object[] = []
    // The registry calls this function at a scrape. The library's own histogram needs a call for each observation,
    // which would cost a payment more than all other counters together.
    const getForPromString = () => Promise.resolve({ name: metric.name, help: metric.help, type: metric.type, values })
    Object.assign(histogram, { getForPromString })
    return (snapshot) => void (values = valuesOf(metric, snapshot))
  }
  const { labels: names, samples } = metric
  const labelled = (values: readonly string[]) =>
    Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
  const instrument = metric.type === 'counter' ? new Counter(head) : new Gauge(head)
  return (snapshot) => {
    instrument.reset()
    // After the reset a metric without labels has the value 0, but it may have no value in this snapshot.
    if (names.length === 0) instrument.remove()
    for (const { labels, value } of samples(snapshot)) instrument.inc(labelled(labels), value)
  }
}

/** The series of a histogram: its cumulative buckets, sum and count. */
function valuesOf(
  { name, labels: [label = ''], durations }: Extract<Metric, { type: 'histogram' }>,
  snapshot: MetricsSnapshot,
) {
  return durations(snapshot).flatMap(({ label: value, counts, sumMs }) => {
    const labels = { [label]: value }
    let cumulative = 0
    const buckets = counts.map((count, index) => {
      cumulative += count
      const bound = limits.durationBoundsMs[index]
      const le = bound === undefined ? '+Inf' : bound / 1000
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: cumulative }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
      { metricName: `${name}_count`, labels, value: cumulative },
    ]
  })
}
