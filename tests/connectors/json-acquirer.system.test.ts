import { describeConformance, type Running, sampleCard, startHttpFaults } from '@tollgate/connectors/testing'
import { Secret } from '@tollgate/contract'
import { exchangeJson } from '@tollgate/gateway/testing'
import { createJsonAcquirer, simulatedCards, startSimulator } from '@tollgate/json-acquirer'

// The example of a connector, on HTTP, and the simulator of its acquirer.

const API_KEY = 'conformance-key'

async function start(): Promise<Running> {
  const simulator = await startSimulator(API_KEY)
  const faults = await startHttpFaults(simulator.url, {
    otherAnswer: (answer) => ({ ...answer, id: 'another' }),
    wrongAmount: (answer) => ({ ...answer, amountMinor: 9201 }),
    wrongCurrency: (answer) => ({ ...answer, currency: 'USD' }),
  })
  return {
    connector: createJsonAcquirer({
      name: 'conformance',
      baseUrl: faults.url,
      apiKey: new Secret(Uint8Array.from(Buffer.from(API_KEY))),
      exchange: exchangeJson,
    }),
    setFault: faults.set,
    books: async () => simulator.totals(),
    async close() {
      await faults.close()
      await simulator.close()
    },
  }
}

const withCard = (number: string) => () => ({ account: sampleCard(number) })

describeConformance({
  name: 'to an acquirer with JSON over HTTP',
  begins: ['PA', 'DB', 'CD'],
  follows: ['PA', 'CP', 'RV', 'RF'],
  methods: [],
  approved: () => ({}),
  declined: { changes: withCard(simulatedCards.insufficientFunds), code: '800.100.155' },
  partial: { changes: withCard(simulatedCards.approvedInPart), approvedMinor: 4600 },
  withoutFaults: { answerTwice: 'HTTP allows one answer to a request' },
  start,
})
