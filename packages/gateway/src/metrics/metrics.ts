import { isResultCode, resultCodes } from '@tollgate/contract'
import { type Counter, type DurationCounts, narrow } from '@tollgate/operations'
import type { MetricsSnapshot } from './snapshot.ts'

/** A value, with the values of its metric's labels in the order of the labels. */
interface Sample {
  readonly labels: readonly string[]
  readonly value: number
}

interface MetricHead {
  readonly name: string
  readonly labels: readonly string[]
  /** Help text of the metric, also in docs/guides/operate.md. */
  readonly help: string
}

export type Metric = MetricHead &
  (
    | { readonly type: 'counter' | 'gauge'; readonly samples: (snapshot: MetricsSnapshot) => readonly Sample[] }
    | { readonly type: 'histogram'; readonly durations: (snapshot: MetricsSnapshot) => readonly DurationCounts[] }
  )

/**
 * Every metric of Tollgate. No label contains an id or any text of a client, so the number of series is bounded. A
 * webhook therefore has no series of its own: see `/manage/v1/jobs`.
 */
export const metrics: readonly Metric[] = [
  {
    name: 'tollgate_requests_total',
    type: 'counter',
    labels: ['operation', 'http', 'result'],
    help:
      'Answers to merchants, by operation (`none` if the request matched none), class of the status (`2xx`) and ' +
      'group of the result code (`success`, `bank`, `format`, …).',
    samples: ({ counts }) =>
      samplesOf(counts.requests).map(({ labels: [operation = '', http = '', code = ''], value }) => ({
        labels: [operation, http, resultCodes[narrow(isResultCode, code)].group],
        value,
      })),
  },
  {
    name: 'tollgate_request_duration_seconds',
    type: 'histogram',
    labels: ['operation'],
    help:
      'Time from the complete receipt of a request to its answer, including the wait in the queue and the ' +
      'durable commit.',
    durations: ({ counts }) => counts.requestTimes.entries(),
  },
  {
    name: 'tollgate_turned_away_total',
    type: 'counter',
    labels: ['reason'],
    help:
      'Requests answered with 429: `throttled` (rate limit), `busy` (overload), `credentials` (too many wrong ' +
      'credentials, on either listener), `address` (too many unauthenticated requests from one address).',
    samples: ({ counts }) => samplesOf(counts.rejected),
  },
  {
    name: 'tollgate_connections_ended_total',
    type: 'counter',
    labels: ['reason'],
    help:
      'Connections that the listeners closed early: `stalled` (no output progress for 30 seconds), `crowded` ' +
      '(of the merchant with the most unread answers when a bound was exceeded, or too many pipelined requests).',
    samples: ({ counts }) => samplesOf(counts.endedConnections),
  },
  {
    name: 'tollgate_storage_reachable',
    type: 'gauge',
    labels: [],
    help: '1 with a connection to the database, 0 without; metrics that need the database are then missing.',
    samples: ({ isReachable }) => [{ labels: [], value: Number(isReachable) }],
  },
  {
    name: 'tollgate_storage_units_total',
    type: 'counter',
    labels: [],
    help: 'Units of work that storage has completed, whether committed or refused.',
    samples: ({ storage }) => [{ labels: [], value: storage.units }],
  },
  {
    name: 'tollgate_storage_batches_total',
    type: 'counter',
    labels: [],
    help: 'Database transactions that units of work shared, each with one fsync.',
    samples: ({ storage }) => [{ labels: [], value: storage.batches }],
  },
  {
    name: 'tollgate_storage_queue_units',
    type: 'gauge',
    labels: [],
    help: 'Units of work that wait for the disk. From 2,000 on, payments are answered with 429.',
    samples: ({ commitDepth }) => [{ labels: [], value: commitDepth }],
  },
  {
    name: 'tollgate_jobs_due',
    type: 'gauge',
    labels: ['kind'],
    help: 'Jobs that are due and not completed. Of each webhook at most 10,000 are counted.',
    samples: ({ lags }) => lags.map(({ kind, due }) => ({ labels: [kind], value: due })),
  },
  {
    name: 'tollgate_job_lag_seconds',
    type: 'gauge',
    labels: ['kind'],
    help: 'Time since the oldest due job became due; 0 if no job is due.',
    samples: ({ lags, atMs }) =>
      lags.map(({ kind, oldestDueAtMs = atMs }) => ({ labels: [kind], value: (atMs - oldestDueAtMs) / 1000 })),
  },
  {
    name: 'tollgate_jobs_parked',
    type: 'gauge',
    labels: ['kind'],
    help: 'Dead-lettered jobs, which wait for a retry by an operator. At most 10,000 are counted.',
    samples: ({ deadLettered }) => [...deadLettered].map(([kind, value]) => ({ labels: [kind], value })),
  },
  {
    name: 'tollgate_job_runs_total',
    type: 'counter',
    labels: ['kind', 'outcome'],
    help: 'Runs of jobs: `ended`, with any outcome, or `threw`, an unexpected error.',
    samples: ({ counts }) => samplesOf(counts.jobRuns),
  },
  {
    name: 'tollgate_delivery_attempts_total',
    type: 'counter',
    labels: ['kind', 'outcome'],
    help: 'Requests to webhooks and to a `notificationUrl`, and files by SFTP: `delivered`, `failed`, `gone` (410).',
    samples: ({ counts }) => samplesOf(counts.deliveries),
  },
  {
    name: 'tollgate_delivery_duration_seconds',
    type: 'histogram',
    labels: ['kind'],
    help: 'Duration of requests to webhooks and to a `notificationUrl`, answered or not, and of transfers by SFTP.',
    durations: ({ counts }) => counts.deliveryTimes.entries(),
  },
  {
    name: 'tollgate_oldest_undelivered_seconds',
    type: 'gauge',
    labels: ['kind'],
    help:
      'Age of the oldest delivery that is neither delivered nor dead-lettered; 0 if there is none. Of each ' +
      'webhook the 10,000 with the earliest due time are considered.',
    samples: ({ undelivered, atMs }) =>
      [...undelivered].map(([kind, addedAtMs = atMs]) => ({ labels: [kind], value: (atMs - addedAtMs) / 1000 })),
  },
  {
    name: 'tollgate_webhook_breakers_open',
    type: 'gauge',
    labels: [],
    help: 'Webhooks whose circuit breaker is open or half-open.',
    samples: ({ breakersOpen }) => [{ labels: [], value: breakersOpen }],
  },
  {
    name: 'tollgate_acquirer_links',
    type: 'gauge',
    labels: ['acquirer', 'state'],
    help: 'Links to an acquirer by ISO 8583, `ready` or `down`. Without a ready link payments are not sent.',
    samples: ({ counts }) =>
      [...counts.acquirerLinks].flatMap(([acquirer, states]) => {
        const ready = states().filter(Boolean).length
        return [
          { labels: [acquirer, 'ready'], value: ready },
          { labels: [acquirer, 'down'], value: states().length - ready },
        ]
      }),
  },
  {
    name: 'tollgate_acquirer_messages_total',
    type: 'counter',
    labels: ['acquirer', 'type', 'outcome'],
    help:
      'Messages to an acquirer by ISO 8583, by message type and outcome: `answered`, `unanswered` (timeout, or the ' +
      'connection was lost) or `not_sent`.',
    samples: ({ counts }) => samplesOf(counts.acquirerMessages),
  },
  {
    name: 'tollgate_acquirer_answer_duration_seconds',
    type: 'histogram',
    labels: ['acquirer'],
    help: 'Time from a message to an acquirer to its answer.',
    durations: ({ counts }) => counts.acquirerTimes.entries(),
  },
  {
    name: 'tollgate_acquirer_open_messages',
    type: 'gauge',
    labels: [],
    help:
      'Requests to acquirers without an outcome, at most 10,000: those in progress, and those whose reversal or ' +
      'repeat waits for its next run. Dead-lettered ones are in `tollgate_jobs_parked`.',
    samples: ({ openMessages }) => (openMessages === undefined ? [] : [{ labels: [], value: openMessages }]),
  },
  {
    name: 'tollgate_tls_certificate_expiry_timestamp_seconds',
    type: 'gauge',
    labels: [],
    help: 'Expiry of the listeners’ certificate in seconds since 1970; missing without TLS.',
    samples: ({ certificateExpiresAtMs }) =>
      certificateExpiresAtMs === undefined ? [] : [{ labels: [], value: certificateExpiresAtMs / 1000 }],
  },
  {
    name: 'tollgate_authorisation_warnings_total',
    type: 'counter',
    labels: [],
    help: 'Preauthorisations with a remaining amount a day before their expiry.',
    samples: ({ counts }) => [{ labels: [], value: counts.expiryWarnings }],
  },
  {
    name: 'tollgate_payment_page_differences',
    type: 'gauge',
    labels: [],
    help: 'Scripts, styles and headers of the payment pages that differ from the build; 0 is correct.',
    samples: ({ pageIntegrity: { lastCheck } }) => [{ labels: [], value: lastCheck?.differences.length ?? 0 }],
  },
  {
    name: 'tollgate_payment_page_checks_total',
    type: 'counter',
    labels: ['outcome'],
    help: 'Checks of the payment pages: `same`, `changed`, or `unreachable` at the public address.',
    samples: ({ pageIntegrity }) => samplesOf(pageIntegrity.checks),
  },
  {
    name: 'tollgate_payment_page_violations_total',
    type: 'counter',
    labels: ['page', 'directive'],
    help:
      'Violations of the Content-Security-Policy of a payment page that browsers reported; anybody can send ' +
      'reports.',
    samples: ({ pageIntegrity }) => samplesOf(pageIntegrity.violations),
  },
]

const samplesOf = (counter: Counter): readonly Sample[] =>
  counter.entries().map(({ labels, count }) => ({ labels, value: count }))
