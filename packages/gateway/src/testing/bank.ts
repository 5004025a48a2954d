import { createRedirectConnector, type RemoteConnector } from '@tollgate/connectors'

/** A payment at the bank. */
export interface BankPayment {
  readonly id: string
  readonly reference: string
  readonly amount: string
  readonly currency: string
  state: 'open' | 'pending' | 'held' | 'paid' | 'failed' | 'cancelled' | 'refunded'
  /** The request with which the gateway opened the payment. */
  readonly order: object
  readonly returnUrl: string
  readonly notificationUrl: string
}

/** An in-process bank to which shoppers are redirected. The test decides their actions. */
export interface TestBank {
  readonly connector: RemoteConnector
  /** The payments in the order in which they were opened. */
  readonly payments: readonly BankPayment[]
  /** The payment that was opened last. */
  readonly lastPayment: () => BankPayment
  /** The number of status requests that reached the bank. */
  statusRequests: number
  isReachable: boolean
}

export function testBank(): TestBank {
  const payments: BankPayment[] = []
  const bank: TestBank = {
    payments,
    statusRequests: 0,
    isReachable: true,
    lastPayment() {
      const payment = payments.at(-1)
      if (!payment) throw new Error('the bank has no payment')
      return payment
    },
    connector: createRedirectConnector('https://bank.example', async (method, url, body = {}) => {
      if (!bank.isReachable) return { status: 0, body: '', sent: true }
      const text = (name: string) => String(Reflect.get(body, name))
      if (method === 'GET') {
        bank.statusRequests += 1
        const payment = payments.find(({ id }) => url.endsWith(`/${id}`))
        return payment ? answer(200, payment) : { status: 404, body: '{}', sent: true }
      }
      const existing = payments.find(({ reference }) => reference === text('reference'))
      if (url.endsWith('/cancellations')) {
        if (existing) existing.state = 'cancelled'
        return { status: 200, body: '{}', sent: true }
      }
      if (/\/(?:captures|increases|reversals|refunds)$/.test(url)) {
        const paid = payments.find(({ id }) => url.includes(`/${id}/`))
        if (paid?.state !== 'paid' && paid?.state !== 'held') return { status: 409, body: '{}', sent: true }
        return answer(201, paid)
      }
      if (existing) return answer(200, existing)
      const opened: BankPayment = {
        id: `bank-${payments.length + 1}`,
        reference: text('reference'),
        amount: text('amount'),
        currency: text('currency'),
        state: 'open',
        order: body,
        returnUrl: text('returnUrl'),
        notificationUrl: text('notificationUrl'),
      }
      payments.push(opened)
      return answer(201, opened)
    }),
  }
  return bank
}

function answer(status: number, { id, reference, amount, currency, state }: BankPayment) {
  const redirectUrl = `https://bank.example/bank/${id}`
  return { status, body: JSON.stringify({ id, reference, amount, currency, state, redirectUrl }), sent: true }
}
