import { isResultCode, resultCodes } from '@tollgate/contract'
import { type Counter, type DurationCounts, known } from '@tollgate/operations'
import type { Seen } from './snapshot.ts'

/** A number, with the values of its metric's labels in their order. */
interface Sample {
  readonly labels: readonly string[]
  readonly value: number
}

interface MetricHead {
  readonly name: string
  readonly labels: readonly string[]
  /** What operators are told, by the metric itself and in docs/guides/operate.md. */
  readonly about: string
}

export type Metric = MetricHead &
  (
    | { readonly type: 'counter' | 'gauge'; readonly samples: (seen: Seen) => readonly Sample[] }
    | { readonly type: 'histogram'; readonly durations: (seen: Seen) => readonly DurationCounts[] }
  )

/**
 * Every metric of ours. No label ever holds an id, or anything that a merchant or stranger has sent: how many series
 * there are is bounded by the words of the program. So a webhook has no series of its own: look at `/manage/v1/jobs`.
 */
export const metrics: readonly Metric[] = [
  {
    name: 'tollgate_requests_total',
    type: 'counter',
    labels: ['operation', 'http', 'result'],
    about:
      'Answers to merchants, by operation (`none`: it never became one), class of the status (`2xx`) and group of ' +
      'the result code (`success`, `bank`, `format`, …).',
    samples: ({ counts }) =>
      samplesOf(counts.requests).map(({ labels: [operation = '', http = '', code = ''], value }) => ({
        labels: [operation, http, resultCodes[known(isResultCode, code)].group],
        value,
      })),
  },
  {
    name: 'tollgate_request_duration_seconds',
    type: 'histogram',
    labels: ['operation'],
    about:
      'From a request that is there as a whole to its answer, which is durable by then; its wait for a turn included.',
    durations: ({ counts }) => counts.requestTimes.entries(),
  },
  {
    name: 'tollgate_turned_away_total',
    type: 'counter',
    labels: ['reason'],
    about:
      'Requests that were answered with 429: `throttled`, `busy` (more than the process can do), `credentials` ' +
      '(wrong ones came too often, on either listener), `address` (too many without credentials from one address).',
    samples: ({ counts }) =>
      samplesOf(counts.rejected).map(({ labels: [reason = ''], value }) => ({ labels: [reason], value })),
  },
  {
    name: 'tollgate_connections_ended_total',
    type: 'counter',
    labels: ['reason'],
    about:
      'Connections that the listeners ended early: `stalled` (its output stood still for 30 seconds), `crowded` (it ' +
      'held the most where clients do not read their answers, or sent more requests ahead than fit).',
    samples: ({ counts }) =>
      samplesOf(counts.endedConnections).map(({ labels: [reason = ''], value }) => ({ labels: [reason], value })),
  },
  {
    name: 'tollgate_storage_reachable',
    type: 'gauge',
    labels: [],
    about: 'Whether there is a connection to the database: 1 or 0. Without one, what is counted there is left out.',
    samples: ({ isReachable }) => [{ labels: [], value: Number(isReachable) }],
  },
  {
    name: 'tollgate_storage_units_total',
    type: 'counter',
    labels: [],
    about: 'Units of work that storage was given and has decided.',
    samples: ({ storage }) => [{ labels: [], value: storage.units }],
  },
  {
    name: 'tollgate_storage_batches_total',
    type: 'counter',
    labels: [],
    about: 'Transactions that they shared, each with one fsync.',
    samples: ({ storage }) => [{ labels: [], value: storage.batches }],
  },
  {
    name: 'tollgate_storage_queue_units',
    type: 'gauge',
    labels: [],
    about: 'Units that wait for the disk now. From 2,000 on payments are turned away.',
    samples: ({ depth }) => [{ labels: [], value: depth }],
  },
  {
    name: 'tollgate_jobs_due',
    type: 'gauge',
    labels: ['kind'],
    about: 'Jobs that are due and have not ended. Of each webhook at most 10,000 are counted.',
    samples: ({ lags }) => lags.map(({ kind, due }) => ({ labels: [kind], value: due })),
  },
  {
    name: 'tollgate_job_lag_seconds',
    type: 'gauge',
    labels: ['kind'],
    about: 'For how long the oldest of them has been due; 0 where none is.',
    samples: ({ lags, atMs }) =>
      lags.map(({ kind, oldestDueAtMs = atMs }) => ({ labels: [kind], value: (atMs - oldestDueAtMs) / 1000 })),
  },
  {
    name: 'tollgate_jobs_parked',
    type: 'gauge',
    labels: ['kind'],
    about: 'Jobs that were given up, and wait for somebody to take them up again. At most 10,000 are counted.',
    samples: ({ parked }) => [...parked].map(([kind, value]) => ({ labels: [kind], value })),
  },
  {
    name: 'tollgate_job_runs_total',
    type: 'counter',
    labels: ['kind', 'outcome'],
    about: 'Jobs that were begun: `ended`, whatever came of it, or `threw`: it met something unforeseen.',
    samples: ({ counts }) => samplesOf(counts.jobRuns),
  },
  {
    name: 'tollgate_delivery_attempts_total',
    type: 'counter',
    labels: ['kind', 'outcome'],
    about: 'Requests to webhooks and to a `notificationUrl`: `delivered`, `failed`, `gone` (answered with 410).',
    samples: ({ counts }) => samplesOf(counts.deliveries),
  },
  {
    name: 'tollgate_delivery_duration_seconds',
    type: 'histogram',
    labels: ['kind'],
    about: 'How long such a request took, answered or not.',
    durations: ({ counts }) => counts.deliveryTimes.entries(),
  },
  {
    name: 'tollgate_oldest_undelivered_seconds',
    type: 'gauge',
    labels: ['kind'],
    about:
      'How long ago the oldest delivery was added that has neither arrived nor been given up; 0 where there is none. ' +
      'Looked for among the 10,000 of each webhook that are due first.',
    samples: ({ undelivered, atMs }) =>
      [...undelivered].map(([kind, addedAtMs = atMs]) => ({ labels: [kind], value: (atMs - addedAtMs) / 1000 })),
  },
  {
    name: 'tollgate_webhook_breakers_open',
    type: 'gauge',
    labels: [],
    about: 'Webhooks that fail and are left alone, or are asked once in a while whether they are back.',
    samples: ({ breakersOpen }) => [{ labels: [], value: breakersOpen }],
  },
  {
    name: 'tollgate_tls_certificate_expiry_timestamp_seconds',
    type: 'gauge',
    labels: [],
    about:
      'The last moment of the certificate that the listeners show, in seconds since 1970; none where there is no TLS.',
    samples: ({ certificateEndsAtMs }) =>
      certificateEndsAtMs === undefined ? [] : [{ labels: [], value: certificateEndsAtMs / 1000 }],
  },
  {
    name: 'tollgate_authorisation_warnings_total',
    type: 'counter',
    labels: [],
    about: 'Preauthorisations of which something was still held a day before their end.',
    samples: ({ counts }) => [{ labels: [], value: counts.warnings }],
  },
  {
    name: 'tollgate_payment_page_differences',
    type: 'gauge',
    labels: [],
    about:
      'Scripts, styles and headers of the payment pages that are served otherwise than they were built; 0 is right.',
    samples: ({ pageIntegrity: { last } }) => [{ labels: [], value: last?.differences.length ?? 0 }],
  },
  {
    name: 'tollgate_payment_page_checks_total',
    type: 'counter',
    labels: ['outcome'],
    about: 'How often the pages were looked at: `same`, `changed`, or `unreachable` under the public address.',
    samples: ({ pageIntegrity }) => samplesOf(pageIntegrity.checks),
  },
  {
    name: 'tollgate_payment_page_violations_total',
    type: 'counter',
    labels: ['page', 'directive'],
    about:
      'What browsers have reported that the Content-Security-Policy of a payment page kept them from; ' +
      'anyone may report.',
    samples: ({ pageIntegrity }) => samplesOf(pageIntegrity.violations),
  },
]

const samplesOf = (counter: Counter): readonly Sample[] =>
  counter.entries().map(({ labels, count }) => ({ labels, value: count }))
