import { createIso8583Connector, stanOf, testHostProfile } from '@tollgate/connectors'
import {
  type Books,
  describeConformance,
  type FaultName,
  lateMs,
  type Running,
  sampleCard,
} from '@tollgate/connectors/testing'
import { createAcquirerHost, createCounts, nodeEventLoop } from '@tollgate/gateway/testing'
import { startSimulators } from '@tollgate/simulators'
import { type AcquirerViews, type Fault, hostTransactions, setFaults } from '../support/acquirer-host.ts'
import { type FrameFault, startFrameFaults } from './frame-faults.ts'

// The connector to an acquirer by ISO 8583, on TCP, and the test host of an acquirer.

const requestTypes = ['0100', '0101', '0200', '0201', '0220', '0221', '0400', '0401', '0420', '0421']
const knob = (name: string, value?: number): Fault => ({
  knob: name,
  types: requestTypes,
  ...(value !== undefined && { value }),
})

/** The fault of the host that each fault of the suite is. */
const knobs: Readonly<Partial<Record<FaultName, Fault>>> = {
  requestLost: knob('dropRequest'),
  requestLate: knob('latencyMs', lateMs),
  answerLost: knob('dropResponse'),
  answerLate: knob('lateMs', lateMs),
  closed: knob('close'),
  garbled: knob('garble', 8),
  otherAnswer: knob('wrongTrace'),
  wrongAmount: knob('wrongAmount'),
  answerTwice: knob('duplicateResponse'),
  answerInPieces: knob('splitBytes', 20),
}

const frameFaults: ReadonlySet<FaultName> = new Set(['refused', 'half', 'oversized', 'wrongCurrency'])
const isFrameFault = (name: FaultName | undefined): name is FrameFault => name !== undefined && frameFaults.has(name)

/** Waits of the link are a twentieth of their length, so that it waits a second for an answer. */
const DIVISOR = 20

async function booksOf(host: AcquirerViews): Promise<Books> {
  let [heldMinor, takenMinor] = [0, 0]
  for (const { kind, state, authorisedMinor, capturedMinor, refundedMinor } of await hostTransactions(host)) {
    if (state === 'declined' || state === 'reversed') continue
    if (kind === 'authorisation') heldMinor += authorisedMinor - capturedMinor
    if (kind === 'sale' || kind === 'capture') takenMinor += capturedMinor
    if (kind === 'refund') takenMinor -= refundedMinor
  }
  return { heldMinor, takenMinor }
}

async function start(): Promise<Running> {
  const host = await startSimulators({ host: '127.0.0.1', port: 0, acquirerPort: 0, create: () => [] })
  if (!host.acquirerAddress) throw new Error('the host does not listen')
  const frames = await startFrameFaults(host.acquirerAddress)
  const { startTimer } = nodeEventLoop
  let drawn = 0
  const connector = createIso8583Connector({
    name: 'conformance',
    profile: testHostProfile,
    host: createAcquirerHost({
      name: 'conformance',
      counts: createCounts(),
      addresses: [frames.address],
      profile: testHostProfile,
      eventLoop: { ...nodeEventLoop, startTimer: (ms, onEnd) => startTimer(ms / DIVISOR, onEnd) },
      clock: { now: Date.now },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined, flush: () => undefined },
    }),
    async nextTrace(terminalId = 'CONFORM1') {
      drawn += 1
      return { terminalId, stan: stanOf(drawn), atMs: Date.now() }
    },
    onMismatch: () => undefined,
  })
  return {
    connector,
    async setFault(fault) {
      await frames.set(isFrameFault(fault) ? fault : undefined)
      const ofHost = fault && knobs[fault]
      await setFaults(host, ofHost ? [ofHost] : [])
    },
    books: () => booksOf(host),
    async close() {
      await frames.close()
      await host.close()
    },
  }
}

const external = { testMode: 'EXTERNAL' } as const

describeConformance({
  name: 'to a host by ISO 8583',
  begins: ['PA', 'DB', 'CD'],
  follows: ['PA', 'CP', 'RV', 'RF'],
  methods: ['references', 'open', 'close'],
  approved: () => external,
  // From 10,000.00 on, the last two digits of an amount are the response code.
  declined: { changes: () => ({ ...external, amountMinor: 1_000_051 }), code: '800.100.155' },
  partial: { changes: () => ({ ...external, account: sampleCard('4999990000000106') }), approvedMinor: 4600 },
  withoutFaults: { failure: 'the response 96 is a decline' },
  start,
})
