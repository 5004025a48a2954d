import { createRedirectConnector } from '@tollgate/connectors'
import {
  type Books,
  describeConformance,
  type JsonAnswer,
  type Running,
  startHttpFaults,
} from '@tollgate/connectors/testing'
import { exchangeJson } from '@tollgate/gateway/testing'
import { startSimulators } from '@tollgate/simulators'

// The connector to banks and wallets with redirects, on HTTP, and the simulated bank.

const DECLINED_MINOR = 6_666

const idOf = ({ id }: JsonAnswer): string => (typeof id === 'string' ? id : '')

/** The sums of all payments that the bank has opened. */
async function booksOf(bank: string, answers: readonly JsonAnswer[]): Promise<Books> {
  let [heldMinor, takenMinor] = [0, 0]
  for (const id of new Set(answers.map(idOf).filter((one) => one !== ''))) {
    const payment: Readonly<Record<string, string>> = JSON.parse(
      await (await fetch(`${bank}/bank/payments/${id}`)).text(),
    )
    const minorOf = (name: string): number => Math.round(Number(payment[name]) * 100)
    heldMinor += minorOf('heldAmount')
    takenMinor += minorOf('capturedAmount') - minorOf('refundedAmount')
  }
  return { heldMinor, takenMinor }
}

async function start(): Promise<Running> {
  const bank = await startSimulators({ host: '127.0.0.1', port: 0 })
  const faults = await startHttpFaults(bank.url, {
    otherAnswer: (answer) => ({ ...answer, id: '0'.repeat(32), reference: 'another' }),
    wrongAmount: (answer) => ({ ...answer, amount: '92.01' }),
    wrongCurrency: (answer) => ({ ...answer, currency: 'USD' }),
  })
  return {
    connector: createRedirectConnector(faults.url, exchangeJson),
    setFault: faults.set,
    books: () => booksOf(bank.url, faults.answers),
    async confirm({ request, reply }) {
      const id = 'details' in reply ? reply.details['ConnectorTxID1'] : ''
      const choice = request.amountMinor === DECLINED_MINOR ? 'decline' : 'pay'
      await fetch(`${bank.url}/bank/${id}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ choice }),
      })
    },
    async close() {
      await faults.close()
      await bank.close()
    },
  }
}

const byRedirect = { brand: 'IDEAL', account: undefined, redirected: true } as const

describeConformance({
  name: 'to banks and wallets with redirects',
  begins: ['PA', 'DB'],
  follows: ['PA', 'CP', 'RV', 'RF'],
  methods: ['inquire'],
  approved: () => byRedirect,
  declined: { changes: () => ({ ...byRedirect, amountMinor: DECLINED_MINOR }), code: '800.100.152' },
  partial: 'shoppers confirm the whole amount',
  withoutFaults: { answerTwice: 'HTTP allows one answer to a request' },
  start,
})
