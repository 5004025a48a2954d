// The books of a gateway and of its acquirer, in one form, so that they can be compared.

/** A stored transaction that was sent to an acquirer. */
export interface BookedTransaction {
  readonly id: string
  readonly referencedId: string | null
  readonly type: string
  readonly status: string
  readonly amountMinor: number
  /** The name of its message, by which the acquirer knows it. */
  readonly message: string
}

/** A transaction in the books of an acquirer. */
interface AcquirerTransaction {
  readonly kind: string
  readonly state: string
  readonly requestedMinor: number
  readonly authorisedMinor: number
  readonly capturedMinor: number
  readonly refundedMinor: number
}

/** A transaction in the books of either side that was approved and not reversed. */
interface BookEntry {
  /** The name of its message. */
  readonly name: string
  readonly kind: string
  amountMinor: number
  capturedMinor: number
  refundedMinor: number
}

/** The kinds of transactions at an acquirer, by their types at the gateway. */
const hostKinds: Readonly<Record<string, string>> = {
  PA: 'authorisation',
  DB: 'sale',
  RB: 'sale',
  CP: 'capture',
  RF: 'refund',
  CD: 'refund',
}

/**
 * The entries of approved transactions that no later one has reversed. An amount of a hold or sale includes its
 * increases and reversals.
 *
 * @param stored each follow-up after its original
 */
export function gatewayEntries(stored: readonly BookedTransaction[]): readonly BookEntry[] {
  const entries = new Map<string, BookEntry>()
  /** The hold or sale of each transaction, by its id. */
  const roots = new Map<string, BookEntry>()
  for (const { id, referencedId, type, status, amountMinor, message } of stored) {
    if (status !== 'ACK' || amountMinor === 0) continue
    const original = entries.get(referencedId ?? '')
    // A rebill is a sale of its own.
    const root = type === 'RB' ? undefined : roots.get(referencedId ?? '')
    if (type === 'RV') {
      if (!original || !root) throw new Error(`the reversal ${id} refers to no approved transaction`)
      original.amountMinor -= amountMinor
      if (original.kind === 'capture') root.capturedMinor -= amountMinor
      if (original.kind === 'increment') root.amountMinor -= amountMinor
      continue
    }
    const kind = root && type === 'PA' ? 'increment' : (hostKinds[type] ?? type)
    const entry: BookEntry = { name: message, kind, amountMinor, capturedMinor: 0, refundedMinor: 0 }
    entries.set(id, entry)
    roots.set(id, root ?? entry)
    if (root && type === 'PA') root.amountMinor += amountMinor
    if (root && type === 'CP') root.capturedMinor += amountMinor
    if (root && type === 'RF') root.refundedMinor += amountMinor
  }
  return [...entries.values()].filter(({ amountMinor }) => amountMinor > 0)
}

/** Whether an acquirer has approved a transaction, with an amount, and not reversed it. */
export const isEffective = ({ state, requestedMinor }: AcquirerTransaction): boolean =>
  state !== 'declined' && state !== 'reversed' && requestedMinor > 0

/** The entries of an acquirer's transactions. @param nameOf the name of the message of a transaction */
export const hostEntries = <T extends AcquirerTransaction>(
  transactions: readonly T[],
  nameOf: (transaction: T) => string,
): readonly BookEntry[] =>
  transactions.filter(isEffective).map((transaction) => {
    const { kind, authorisedMinor, capturedMinor, refundedMinor } = transaction
    const isHold = kind === 'authorisation'
    const isCredit = kind === 'refund' || kind === 'payout'
    return {
      name: nameOf(transaction),
      kind: kind === 'payout' ? 'refund' : kind,
      amountMinor: isCredit ? refundedMinor : kind === 'capture' ? capturedMinor : authorisedMinor,
      capturedMinor: isHold ? capturedMinor : 0,
      refundedMinor: isCredit || kind === 'capture' ? 0 : refundedMinor,
    }
  })

/** The entries, as texts, that only one side has; also those that an acquirer has twice. */
export function differenceOf(atGateway: readonly BookEntry[], atHost: readonly BookEntry[]) {
  const textOf = (entry: BookEntry): string => JSON.stringify(entry)
  const [gatewayTexts, hostTexts] = [atGateway.map(textOf), atHost.map(textOf)]
  const without = (texts: readonly string[], others: readonly string[]): readonly string[] => {
    const known = new Set(others)
    return texts.filter((text) => !known.has(text))
  }
  // The lists have equal lengths only if no entry is there twice.
  return {
    onlyAtGateway: without(gatewayTexts, hostTexts),
    onlyAtHost: [
      ...without(hostTexts, gatewayTexts),
      ...hostTexts.filter((text, index) => hostTexts.indexOf(text) !== index),
    ],
  }
}
