import { limits } from './limits.ts'

/** Cards with a special outcome. Other cards are approved. */
export const simulatedCards = {
  insufficientFunds: '4200000000000059',
  approvedInPart: '4200000000000109',
} as const

/** Amounts in minor units. */
export interface Transaction {
  readonly id: string
  readonly reference: string
  readonly status: 'approved' | 'declined'
  readonly amountMinor: number
  readonly currency: string
  readonly reason?: string
}

/** What is left of an approved transaction. */
interface Balance {
  heldMinor: number
  takenMinor: number
}

/** A request of a client. */
export interface LedgerRequest {
  readonly id: string
  readonly amountMinor: number
  readonly currency: string
}

export type PaymentType = 'hold' | 'charge' | 'credit'
export type FollowUp = 'capture' | 'release' | 'refund' | 'increase'

/** How each operation changes the balance that it refers to. undefined: there is too little. */
const operations: Readonly<Record<FollowUp, (balance: Balance, amountMinor: number) => Balance | undefined>> = {
  capture: ({ heldMinor, takenMinor }, amountMinor) =>
    amountMinor <= heldMinor ? { heldMinor: heldMinor - amountMinor, takenMinor } : undefined,
  release({ heldMinor, takenMinor }, amountMinor) {
    if (amountMinor <= heldMinor) return { heldMinor: heldMinor - amountMinor, takenMinor }
    return amountMinor <= takenMinor ? { heldMinor, takenMinor: takenMinor - amountMinor } : undefined
  },
  refund: ({ heldMinor, takenMinor }, amountMinor) =>
    amountMinor <= takenMinor ? { heldMinor, takenMinor: takenMinor - amountMinor } : undefined,
  increase: ({ heldMinor, takenMinor }, amountMinor) =>
    heldMinor > 0 ? { heldMinor: heldMinor + amountMinor, takenMinor } : undefined,
}

/** The transactions of the acquirer, in memory. */
export interface Ledger {
  readonly begin: (type: PaymentType, request: LedgerRequest, card: string, acceptsPart: boolean) => Transaction
  readonly follow: (type: FollowUp, reference: string, request: LedgerRequest) => Transaction
  /** Takes back a payment. A later request with its id is declined. */
  readonly cancel: (id: string) => void
  readonly totals: () => Balance
  readonly isFull: () => boolean
}

export function createLedger(): Ledger {
  const answers = new Map<string, Transaction>()
  const balances = new Map<string, Balance>()
  const cancelled = new Set<string>()

  function answer(request: LedgerRequest, outcome: { amountMinor: number } | { reason: string }): Transaction {
    const { id, currency } = request
    const reference = `A${answers.size + 1}`
    const transaction: Transaction =
      'reason' in outcome
        ? { id, reference, status: 'declined', amountMinor: 0, currency, reason: outcome.reason }
        : { id, reference, status: 'approved', amountMinor: outcome.amountMinor, currency }
    answers.set(id, transaction)
    return transaction
  }

  /** Answers a repeated id as the first time. */
  const once = (request: LedgerRequest, work: () => Transaction): Transaction =>
    answers.get(request.id) ?? (cancelled.has(request.id) ? answer(request, { reason: 'cancelled' }) : work())

  return {
    begin: (type, request, card, acceptsPart) =>
      once(request, () => {
        const isPart = card === simulatedCards.approvedInPart
        if (card === simulatedCards.insufficientFunds || (isPart && !acceptsPart))
          return answer(request, { reason: 'insufficientFunds' })
        const amountMinor = isPart ? Math.floor(request.amountMinor / 2) : request.amountMinor
        const transaction = answer(request, { amountMinor })
        const [heldMinor, takenMinor] = type === 'hold' ? [amountMinor, 0] : [0, type === 'charge' ? amountMinor : 0]
        balances.set(transaction.reference, { heldMinor, takenMinor })
        return transaction
      }),
    follow: (type, reference, request) =>
      once(request, () => {
        const balance = balances.get(reference)
        const changed = balance && operations[type](balance, request.amountMinor)
        if (!changed) return answer(request, { reason: 'tooMuch' })
        balances.set(reference, changed)
        const transaction = answer(request, { amountMinor: request.amountMinor })
        // A capture is a transaction of its own, which is refunded.
        if (type === 'capture') balances.set(transaction.reference, { heldMinor: 0, takenMinor: request.amountMinor })
        return transaction
      }),
    cancel(id) {
      cancelled.add(id)
      balances.delete(answers.get(id)?.reference ?? '')
    },
    totals() {
      const totals: Balance = { heldMinor: 0, takenMinor: 0 }
      for (const { heldMinor, takenMinor } of balances.values()) {
        totals.heldMinor += heldMinor
        totals.takenMinor += takenMinor
      }
      return totals
    },
    isFull: () => answers.size + cancelled.size >= limits.transactionsMax,
  }
}
