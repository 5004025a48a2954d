import { MINUTE_MS } from '@tollgate/contract'

/** How long and how much the benchmark measures. Every loop and wait of it ends by one of these. */
export interface Effort {
  /** Paired rounds: in each both sides are measured once. */
  readonly rounds: number
  readonly roundSeconds: number
  readonly warmUpSeconds: number
  readonly starts: number
  readonly storedFew: number
  readonly storedMany: number
  /** Of more than the gateway can do. */
  readonly overloadSeconds: number
  /** Of each half of a pair: a merchant alone, and beside a flood. */
  readonly fairSeconds: number
  /** Deliveries that are prepared for one endpoint. */
  readonly deliveries: number
  readonly lagSeconds: number
  /** Longer than the gateway waits for an answer, so that a silent endpoint shows all that it can do. */
  readonly endpointsSeconds: number
  /** Loads of a page with a card form, each in a browser with an empty cache. */
  readonly pageLoads: number
  /** The whole run; then it stops with an error. */
  readonly deadlineMs: number
}

export const efforts = {
  full: {
    rounds: 3,
    roundSeconds: 5,
    warmUpSeconds: 4,
    starts: 3,
    storedFew: 10_000,
    storedMany: 1_000_000,
    overloadSeconds: 30,
    fairSeconds: 10,
    deliveries: 60_000,
    lagSeconds: 20,
    endpointsSeconds: 40,
    pageLoads: 7,
    deadlineMs: 45 * MINUTE_MS,
  },
  quick: {
    rounds: 2,
    roundSeconds: 2,
    warmUpSeconds: 2,
    starts: 2,
    storedFew: 10_000,
    storedMany: 100_000,
    overloadSeconds: 6,
    fairSeconds: 3,
    deliveries: 20_000,
    lagSeconds: 5,
    endpointsSeconds: 8,
    pageLoads: 3,
    deadlineMs: 10 * MINUTE_MS,
  },
} as const satisfies Record<string, Effort>

export const limits = {
  merchants: 50,
  /** Of pgbench: branches, so that its clients hardly wait for each other, and the size of its output. */
  pgbenchScale: 50,
  pgbenchBytes: 1024 * 1024,
  connections: [1, 32, 64],
  /** Where p99, memory and the aims are read, and where the stored sets and the profile are loaded. */
  connectionsFull: 64,
  /** The rate of requests as a multiple of the gateway's capacity, and the number of connections. */
  overloadFactor: 3,
  overloadConnections: 1_000,
  /** Queries for one payment, pages of 500, and walks through everything, after as many that do not count. */
  queries: 3_000,
  queryPages: 60,
  queryWalks: 5,
  /** Rounds of each GET: how long and how many reads at most, and over how many connections. */
  readRounds: 21,
  readMs: 200,
  reads: 2_000,
  readConnections: 8,
  /** Hours of a merchant and references that are looked up. */
  readHours: 200,
  readReferences: 5_000,
  /** The gateway refuses more of one checkout in a minute. */
  readsOfCheckout: 2,
  memoryReadings: 20,
  /** The merchant beside a flood: a shop on a busy day. */
  steadyPerSecond: 50,
  steadyConnections: 50,
  /** Of one merchant in a minute: no machine reaches it, and it is counted all the same. */
  requestsAMinute: 100_000_000,
  /** Until a started process reports that it listens. */
  readyMs: 20_000,
  readyPollMs: 2,
  /** Until a stopped one has ended: longer than the gateway's own drain. */
  stopMs: 25_000,
  requestMs: 10_000,
  /** Beyond a round's own seconds, until its load tool counts as stuck. */
  loadGraceMs: 15_000,
  /** Prepared payments that wait for their commit at once. */
  preparedDepth: 2048,
  lagPaymentsPerSecond: 1_000,
  endpoints: 10,
  /** Every endpoint gets the event of each payment. */
  endpointsPaymentsPerSecond: 50,
  /** For payments at a rate: so many connections, and how often is looked which are due. */
  rateSockets: 256,
  rateTickMs: 2,
  /** Of all. A disk that pauses for a quarter of a second is enough for some. */
  rateRefusedMost: 0.02,
  rateWarmUpSeconds: 3,
  rateWarmUpShares: [0.2, 0.5, 1],
  /** The time within which endpoints must get all events. */
  tellMs: 120_000,
  tellPollMs: 50,
  fsyncs: 31,
  /** Bytes of a process's first output in which its address is looked for, and of its last that an error quotes. */
  outputBytes: 8192,
  topFunctions: 25,
  /** A phone of the lower middle, and the connection that browsers' own tools call slow 4G. */
  phone: { width: 360, height: 640 },
  phoneCpuSlowdown: 4,
  slow4G: { latency: 150, downloadThroughput: (1_638.4 * 1_000) / 8, uploadThroughput: (750 * 1_000) / 8 },
} as const
