import { MINUTE_MS } from '@tollgate/contract'

/** Durations and sizes of the measurements of a full or of a quick benchmark. */
export interface Effort {
  /** Number of rounds, each of which measures every compared server or situation once. */
  readonly rounds: number
  readonly roundSeconds: number
  readonly warmUpSeconds: number
  readonly starts: number
  /** Rounds of a comparison with another checkout. */
  readonly pairedRounds: number
  /** Payments whose bytes are measured. */
  readonly bytesPayments: number
  readonly storedFew: number
  readonly storedMany: number
  /** Payments of the part `vast`. */
  readonly vastPayments: number
  /** Duration of the mixed traffic of the part `long`, and of each of the two overloads before it. */
  readonly longMinutes: number
  readonly longWarmUpSeconds: number
  /**
   * Payments of the part `money`, the days that they are spread over, the days before these for the files that its
   * loads import, and the rounds and the duration of its loads. Each day has a settlement file.
   */
  readonly moneyPayments: number
  readonly moneyDays: number
  readonly moneyDaysBefore: number
  readonly moneyRounds: number
  readonly moneySeconds: number
  /** Duration of the overload. */
  readonly overloadSeconds: number
  /** Duration of each measurement of a merchant, alone and beside a flood. */
  readonly fairSeconds: number
  /** Deliveries that are prepared for one endpoint. */
  readonly deliveries: number
  readonly lagSeconds: number
  /**
   * Duration of a run with endpoints. In a full benchmark it is longer than the gateway waits for an answer, so that a
   * silent endpoint has its full effect.
   */
  readonly endpointsSeconds: number
  /** Pairs of loads of a page with a card form: the first with an empty cache, the second with a warm one. */
  readonly pageLoads: number
  /** Duration of payments at a host that answers late. */
  readonly acquirerSeconds: number
  /** Duration of the whole run, after which it stops with an error. */
  readonly deadlineMs: number
}

export const efforts = {
  full: {
    rounds: 3,
    roundSeconds: 5,
    warmUpSeconds: 4,
    starts: 3,
    pairedRounds: 10,
    bytesPayments: 20_000,
    storedFew: 10_000,
    storedMany: 1_000_000,
    vastPayments: 20_000_000,
    longMinutes: 20,
    longWarmUpSeconds: 20,
    moneyPayments: 1_000_000,
    moneyDays: 365,
    moneyDaysBefore: 60,
    moneyRounds: 20,
    moneySeconds: 6,
    overloadSeconds: 30,
    fairSeconds: 10,
    deliveries: 60_000,
    lagSeconds: 20,
    endpointsSeconds: 40,
    pageLoads: 7,
    acquirerSeconds: 20,
    deadlineMs: 45 * MINUTE_MS,
  },
  quick: {
    rounds: 2,
    roundSeconds: 2,
    warmUpSeconds: 2,
    starts: 2,
    pairedRounds: 6,
    bytesPayments: 5_000,
    storedFew: 10_000,
    storedMany: 100_000,
    vastPayments: 1_000_000,
    longMinutes: 4,
    longWarmUpSeconds: 5,
    moneyPayments: 100_000,
    moneyDays: 36,
    moneyDaysBefore: 6,
    moneyRounds: 2,
    moneySeconds: 6,
    overloadSeconds: 6,
    fairSeconds: 3,
    deliveries: 20_000,
    lagSeconds: 5,
    endpointsSeconds: 8,
    pageLoads: 3,
    acquirerSeconds: 6,
    deadlineMs: 10 * MINUTE_MS,
  },
} as const satisfies Record<string, Effort>

export const limits = {
  merchants: 50,
  /** Different requests that load tools send in a cycle, and payments that are copied as payments of the past. */
  preparedRequests: 5_000,
  models: 300,
  /** Scale factor of pgbench, at which its clients hardly wait for each other, and the maximum bytes of its output. */
  pgbenchScale: 50,
  pgbenchBytes: 1024 * 1024,
  connections: [1, 32, 64],
  /** Connections at full load: for warm-ups, for the aims, and for parts with one number of connections. */
  connectionsFull: 64,
  /** The rate of requests as a multiple of the gateway's capacity, and the number of connections. */
  overloadFactor: 3,
  overloadConnections: 1_000,
  /** Numbers of queries for one payment, of pages of 500 and of scans, each after as many queries for the warm-up. */
  queries: 3_000,
  queryPages: 60,
  queryScans: 5,
  /** Rounds of each GET, and of each round the maximum duration, the maximum number of reads, and the connections. */
  readRounds: 21,
  readMs: 200,
  reads: 2_000,
  readConnections: 8,
  /** Payments that the server copies with one statement, merchants of the copies, and reads of each kind. */
  multipliedAtOnce: 200_000,
  vastMerchants: 10,
  vastReads: 5_000,
  /** The last days with most of the reads, and their share of the reads. */
  vastRecentDays: 30,
  vastRecentShare: 0.9,
  /** Rounds of a change of partitions, the duration of their loads, the share of the rate, and trees that stay. */
  changeRounds: 2,
  changeSeconds: 110,
  changeShare: 0.5,
  changeTreesThatStay: 20,
  /** Additional duration of a run with the part `vast`. */
  vastMs: 120 * MINUTE_MS,
  /** More requests a second than any machine answers, the share of the capacity, and more payments than a load has. */
  longOverloadPerSecond: 50_000,
  longShare: 2 / 3,
  longNumbers: 100_000_000,
  /** Additional duration of a run with the part `long`. */
  longMs: 30 * MINUTE_MS,
  /** Reads of a statement, of totals and of analytics, of which the median is reported. */
  moneyReads: 15,
  moneyShare: 0.5,
  /**
   * Payments before those whose time is measured, and the time from the start of their sender to the start of other
   * work: about as long, because the sender takes a second to connect.
   */
  moneyLeadSeconds: 3,
  moneyWorkMs: 4_000,
  /** Interval of the checks whether the gateway has posted or imported, and the maximum duration of these. */
  moneyPollMs: 50,
  moneyWaitMs: 20 * MINUTE_MS,
  /** Additional duration of a run with the part `money`. */
  moneyMs: 90 * MINUTE_MS,
  /** The number of different hours, and of different merchantTransactionIds, that are queried. */
  readHours: 200,
  readReferences: 5_000,
  /** Reads of one checkout in a minute; the gateway refuses more. */
  readsOfCheckout: 2,
  memoryReadings: 20,
  /** The time after which the host answers, the rate of payments meanwhile, and connections for those that wait. */
  slowHostMs: 1_000,
  slowHostPerSecond: 600,
  slowHostConnections: 1_000,
  /** Payments per second and connections of the merchant beside a flood: a shop on a busy day. */
  steadyPerSecond: 50,
  steadyConnections: 50,
  /** Rate limit of a merchant. No machine reaches it, so requests are counted but never refused for their rate. */
  requestsPerMinute: 100_000_000,
  /** Time until a started process reports that it listens. */
  readyMs: 20_000,
  readyPollMs: 2,
  /** Time until a stopped process has exited: longer than the gateway's own drain. */
  stopMs: 25_000,
  requestMs: 10_000,
  /** Time after the end of a round until its load tool is ended with an error. */
  loadGraceMs: 15_000,
  /** Prepared payments that are committed concurrently. */
  preparedDepth: 2048,
  lagPaymentsPerSecond: 1_000,
  endpoints: 10,
  /** Payments per second while endpoints are compared. Every endpoint receives the event of each payment. */
  endpointsPaymentsPerSecond: 50,
  /** Payments at a fixed rate: the number of connections, and the interval of the check for due payments. */
  rateSockets: 256,
  rateTickMs: 2,
  /** Greatest tolerated share of refused payments, because a disk that pauses for a quarter of a second causes some. */
  rateRefusedShareMax: 0.02,
  /** The warm-up before payments at a fixed rate: the duration of each step, and its share of the rate. */
  rateWarmUpSeconds: 3,
  rateWarmUpShares: [0.2, 0.5, 1],
  /** Time within which endpoints must receive all events. */
  deliveredMs: 120_000,
  deliveredPollMs: 50,
  fsyncs: 31,
  /** Bytes of a process's first output, which contains its address, and of its last output, which an error quotes. */
  outputBytes: 8192,
  topFunctions: 25,
  /** A low-end to mid-range phone, and the connection that Lighthouse calls slow 4G. */
  phone: { width: 360, height: 640 },
  phoneCpuSlowdown: 4,
  slow4G: { latency: 150, downloadThroughput: (1_638.4 * 1_000) / 8, uploadThroughput: (750 * 1_000) / 8 },
} as const
