import type { LongReport } from './measure-long.ts'
import { fixed, grouped, type Line } from './text-table.ts'

/** The rate of a long run, and its requests and deliveries that failed or were late. */
export function longText(long: LongReport): string {
  const failures = long.minutes.reduce((sum, minute) => sum + minute.failures, 0)
  return (
    `mixed traffic with webhooks: ${grouped(long.perSecond)}/s for ${long.minutes.length} minutes, ` +
    `with a capacity of ${grouped(long.capacityPerSecond)}/s\n` +
    `${grouped(long.notSent)} not sent, ${grouped(failures)} failed, ` +
    `${grouped(long.unanswered)} not answered, ${grouped(long.lateDeliveries)} delivered after the end`
  )
}

/** The figures of each minute of a long run. */
export function longLines({ minutes }: LongReport): Line[] {
  const megabytes = (bytes: number | null) => (bytes === null ? '-' : fixed(bytes / 1e6, 0))
  const head = ['minute', 'answers', 'p50 ms', 'p99 ms', 'max ms', 'resident MB', 'undelivered', 'bytes each']
  return [
    [...head, 'storage MB', 'indexes MB', 'log MB', 'autovacuums', 'checkpoints'],
    ...minutes.map((minute, index) => [
      String(index + 1),
      grouped(minute.latencies.count),
      ...[minute.latencies.p50Ms, minute.latencies.p99Ms, minute.latencies.maxMs].map((ms) =>
        fixed(ms ?? Number.NaN, 1),
      ),
      fixed(minute.residentMb, 0),
      grouped(minute.undelivered),
      fixed(minute.bytesPerStored, 0),
      megabytes(minute.bytes),
      megabytes(minute.indexBytes),
      megabytes(minute.logBytes),
      minute.vacuums === null ? '-' : grouped(minute.vacuums),
      minute.checkpoints === null ? '-' : grouped(minute.checkpoints),
    ]),
  ]
}
