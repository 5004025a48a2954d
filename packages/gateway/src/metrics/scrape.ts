import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { limits } from '../limits.ts'
import { type Metric, metrics } from './metrics.ts'
import { type Parts, see, type Seen } from './snapshot.ts'

/** The answer to a scrape. */
export interface Scrape {
  readonly contentType: string
  readonly text: string
}

/**
 * Metrics in the text format of Prometheus: those of Tollgate and those of the process. The latter are collected from
 * the first scrape on, so that the event loop is not sampled without one.
 */
export function createScrape(parts: Parts): () => Promise<Scrape> {
  let prepared: { readonly registry: Registry; readonly hands: readonly ((seen: Seen) => void)[] } | undefined

  function prepare() {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: limits.eventLoopSampleMs })
    return { registry, hands: metrics.map((metric) => handOver(metric, registry)) }
  }

  return async () => {
    const seen = await see(parts)
    const { registry, hands } = (prepared ??= prepare())
    for (const hand of hands) hand(seen)
    return { contentType: registry.contentType, text: await registry.metrics() }
  }
}

/** @returns copies counts into a registry */
function handOver(metric: Metric, registry: Registry): (seen: Seen) => void {
  const head = { name: metric.name, help: metric.about, labelNames: metric.labels, registers: [registry] }
  if (metric.type === 'histogram') {
    const histogram = new Histogram({ ...head, buckets: limits.durationBoundsMs.map((ms) => ms / 1000) })
    let values: readonly object[] = []
    // Called by the registry before a scrape. A histogram of the library takes single observations, which cost a
    // payment more than all other counters together.
    const getForPromString = () => Promise.resolve({ name: metric.name, help: metric.about, type: metric.type, values })
    Object.assign(histogram, { getForPromString })
    return (seen) => void (values = valuesOf(metric, seen))
  }
  const { labels: names, samples } = metric
  const labelled = (values: readonly string[]) =>
    Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
  const instrument = metric.type === 'counter' ? new Counter(head) : new Gauge(head)
  return (seen) => {
    instrument.reset()
    // Without labels it would be 0 now, and some are none at all.
    if (names.length === 0) instrument.remove()
    for (const { labels, value } of samples(seen)) instrument.inc(labelled(labels), value)
  }
}

/** The lines of a histogram: its buckets, each with all that are below it, their sum and their number. */
function valuesOf({ name, labels: [label = ''], durations }: Extract<Metric, { type: 'histogram' }>, seen: Seen) {
  return durations(seen).flatMap(({ label: value, counts, sumMs }) => {
    const labels = { [label]: value }
    let count = 0
    const buckets = counts.map((more, index) => {
      count += more
      const bound = limits.durationBoundsMs[index]
      const le = bound === undefined ? '+Inf' : bound / 1000
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
      { metricName: `${name}_count`, labels, value: count },
    ]
  })
}
