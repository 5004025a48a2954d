import { isCurrency, type CurrencyCode, currencies } from '@tollgate/contract'
import { parseAmount } from '@tollgate/domain'
import { isApproval } from '../decision.ts'
import type { Change, HostState } from '../host-state.ts'
import type { HostTransaction } from '../transaction.ts'
import type { DisputeStage } from './bookings.ts'
import { originalDataOf } from './settlement-rows.ts'

/** A chargeback, or the reversal of one. */
export interface DisputeRequest {
  /** The retrieval reference number, the original data, or the network's transaction id of a debit. */
  readonly reference: string
  /** A decimal number in the currency of the debit, such as `12.50`; by default all of it. */
  readonly amount?: string
  /** The reason code of the network; that of a reversal is by default the one of the chargeback. */
  readonly reason?: string
}

/** A reason to refuse a dispute. */
export interface DisputeRefusal {
  readonly status: 400 | 404 | 409
  readonly code: string
  readonly message: string
}

/** A dispute that is booked, with its change. */
export interface DecidedDispute {
  readonly change: Change
  readonly dispute: {
    readonly stage: DisputeStage
    readonly rrn: string
    readonly currency: string
    readonly amountMinor: number
    readonly reason: string
    /** The business day whose settlement file contains the dispute. */
    readonly businessDay: string
  }
}

const refusal = (status: DisputeRefusal['status'], code: string, message: string): DisputeRefusal => ({
  status,
  code,
  message,
})

const names: ReadonlySet<string> = new Set(['reference', 'amount', 'reason'])

/** Reads a dispute in JSON. @returns the reason why the text is none */
export function parseDispute(text: string): DisputeRequest | { readonly problem: string } {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { problem: 'the body must be JSON' }
  }
  const { reference, amount, reason, ...others }: Record<string, unknown> = Object(body)
  if (Object.keys(others).length > 0) return { problem: `use ${[...names].join(', ')} only` }
  if (typeof reference !== 'string' || !/^[\w ]{1,42}$/.test(reference))
    return { problem: 'reference must be a text of up to 42 letters and digits' }
  if (amount !== undefined && typeof amount !== 'string')
    return { problem: 'amount must be a text with two decimals, such as "12.50"' }
  if (reason !== undefined && (typeof reason !== 'string' || !/^[\w.]{1,10}$/.test(reason)))
    return { problem: 'reason must be a code of up to 10 letters, digits and dots' }
  return { reference, ...(amount !== undefined && { amount }), ...(reason !== undefined && { reason }) }
}

/**
 * Decides about a chargeback of a debit, or the reversal of its open chargeback. A debit has one open chargeback at
 * most; after a reversal it can be charged back again.
 */
export function decideDispute(
  state: HostState,
  stage: DisputeStage,
  request: DisputeRequest,
  businessDay: string,
): DecidedDispute | DisputeRefusal {
  const debits = debitsOf(state, request.reference)
  const [debit] = debits
  if (debit === undefined) return refusal(404, 'unknownReference', 'the host has no posted debit with this reference')
  if (debits.length > 1)
    return refusal(409, 'ambiguousReference', 'several debits have this reference; use the original data (field 90)')
  const open = state.chargebacks.get(debit.id)
  if (stage === 'CHARGEBACK' && open !== undefined)
    return refusal(409, 'chargebackOpen', 'the debit is charged back; reverse this first')
  if (stage === 'CHARGEBACK REVERSAL' && open === undefined)
    return refusal(409, 'noChargeback', 'the debit has no open chargeback')
  const reason = request.reason ?? open?.reason
  if (reason === undefined) return refusal(400, 'invalidDispute', 'reason is required')
  const amountMinor = amountOf(request, debit, open?.amountMinor ?? debit.capturedMinor)
  if (typeof amountMinor !== 'number') return amountMinor
  return {
    change: { kind: 'dispute', id: debit.id, stage, chargeback: { amountMinor, reason }, businessDay },
    dispute: { stage, rrn: debit.rrn, currency: debit.currency, amountMinor, reason, businessDay },
  }
}

/** The captures and sales that a reference names. */
function debitsOf({ transactions }: HostState, reference: string): readonly HostTransaction[] {
  return [...transactions.values()].filter(
    ({ kind, responseCode, capturedMinor, rrn, networkId, reference: name }) =>
      (kind === 'capture' || kind === 'sale') &&
      isApproval(responseCode) &&
      capturedMinor > 0 &&
      [rrn.trim(), networkId, originalDataOf(name)].includes(reference),
  )
}

/** The amount of a dispute in minor units. @param maxMinor the amount by default */
function amountOf({ amount }: DisputeRequest, debit: HostTransaction, maxMinor: number): number | DisputeRefusal {
  if (amount === undefined) return maxMinor
  const currency = currencyOf(debit)
  const parsed = currency === undefined ? undefined : parseAmount(amount, currency)
  if (parsed?.kind !== 'amount' || parsed.amountMinor === 0 || parsed.amountMinor > maxMinor)
    return refusal(400, 'invalidAmount', 'amount must be more than 0.00, and at most what is posted or charged back')
  return parsed.amountMinor
}

const currencyOf = ({ currency }: HostTransaction): CurrencyCode | undefined =>
  Object.keys(currencies)
    .filter(isCurrency)
    .find((code) => currencies[code].numeric === currency)
