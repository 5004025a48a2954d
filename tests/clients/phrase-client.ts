// This client works like deployed clients that read only `id` and `result`. It derives the outcome from the code by
// regular expressions, and the reason from phrases in the description.

type Outcome = 'approved' | 'review' | 'pending' | 'refused'

const outcomes: readonly (readonly [Outcome, RegExp])[] = [
  ['approved', /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/],
  ['review', /^(000\.400\.0[^3]|000\.400\.100)/],
  ['pending', /^(000\.200)/],
  ['pending', /^(800\.400\.5|100\.400\.500)/],
]

/** The phrases of descriptions by which such a client selects its message to the shopper or the merchant. */
const reasons = {
  success: 'Request successfully processed',
  card: 'invalid creditcard, bank account number or bank name',
  declined: 'transaction declined (invalid card)',
  capture: 'capture needs at least one successful transaction of type (PA)',
  reversal: 'reversal needs at least one successful transaction of type (CP or DB or RB or PA)',
  refund: 'Invalid payment data',
  'capture first': 'refund needs a successful transaction',
  form: 'invalid or missing parameter',
  method: 'invalid Payment Method',
  unknown: 'cannot find transaction',
  login: 'invalid authentication information',
} as const

export type Reason = keyof typeof reasons | 'other'

export interface Verdict {
  readonly id: string
  readonly outcome: Outcome
  readonly reason: Reason
}

export type Parameters = Readonly<Record<string, string>>

/** Creates a client of one channel. The client ignores the HTTP status. */
export function phraseClient(base: string, token: string, entityId: string) {
  async function send(path: string, init?: RequestInit): Promise<Verdict> {
    const answer = await fetch(`${base}v1/payments${path}`, { ...init, headers: { authorization: `Bearer ${token}` } })
    const { id, result }: { id: string; result: { code: string; description: string } } = JSON.parse(
      await answer.text(),
    )
    const outcome = outcomes.find(([, expression]) => expression.test(result.code))?.[0] ?? 'refused'
    return { id, outcome, reason: reasonOf(result.description) }
  }
  const post = (path: string, parameters: Parameters) =>
    send(path, { method: 'POST', body: new URLSearchParams({ entityId, ...parameters }) })
  const followUp = (paymentType: string) => (id: string) =>
    post(`/${id}`, { paymentType, amount: '92.00', currency: 'EUR' })

  return {
    pay: (parameters: Parameters) => post('', { paymentType: 'DB', amount: '92.00', currency: 'EUR', ...parameters }),
    capture: followUp('CP'),
    refund: followUp('RF'),
    reverse: followUp('RV'),
    read: (id: string) => send(`/${id}?entityId=${entityId}`),
  }
}

function reasonOf(description: string): Reason {
  const name = Object.entries(reasons).find(([, phrase]) => description.includes(phrase))?.[0]
  return isReason(name) ? name : 'other'
}

const isReason = (name: string | undefined): name is keyof typeof reasons =>
  name !== undefined && Object.hasOwn(reasons, name)
