import type { BrandCode, CurrencyCode, ResultCode } from '@tollgate/contract'
import { type Refused, refused, type Unknown } from '../guard.ts'
import type { PaymentLimits } from '../limits.ts'
import type { AuthorisationCase } from './authorisation-validity.ts'
import type { Right } from './rights.ts'
import type { Facts, PaymentType, TestMode, Transaction, Tree } from './transaction.ts'

/** A request on a payment. Currency, method and test mode that a referencing request omits are those of the payment. */
export interface Command {
  readonly type: PaymentType
  /** Minor units of `currency`. */
  readonly amountMinor?: number | undefined
  readonly currency?: CurrencyCode | undefined
  /** Entity id of the channel that received the request. */
  readonly channel: string
  readonly brand?: BrandCode | undefined
  /** Whether a bank or wallet processes the payment, on its page or under an agreement; only of a first request. */
  readonly redirected?: boolean | undefined
  readonly method?: string | undefined
  readonly testMode?: TestMode | undefined
  /** Whether a reversal by the system is made because the authorisation has expired. */
  readonly expiry?: boolean | undefined
  /** sequence=FINAL. */
  readonly final?: boolean | undefined
  /** The number of captures of a preauthorisation: 1 to 98. */
  readonly numberOfCaptures?: number | undefined
  /** The case of a preauthorisation; default: customer. */
  readonly authorisationCase?: AuthorisationCase | undefined
  /** standingInstruction.industryPractice=INCREMENTAL_AUTH. */
  readonly incremental?: boolean | undefined
  /** Whether the payment's account data is still stored. */
  readonly isAccountAvailable?: boolean | undefined
  /** chargebackResultCode. */
  readonly chargebackReason?: string | undefined
  /** The caller's additional rights. */
  readonly rights?: readonly Right[] | undefined
  readonly atMs: number
}

/** The input of a referencing move. */
export interface Reference {
  readonly tree: Tree
  readonly referenced: Transaction
  readonly command: Command
  readonly limits: PaymentLimits
}

/** A legal move: the request to the acquirer, and the transaction to store. */
export interface Go {
  readonly kind: 'go'
  readonly type: PaymentType
  readonly amountMinor: number
  readonly currency: CurrencyCode
  /** The referenced transaction; null for a move that begins a payment. */
  readonly referencedId: string | null
  readonly facts: Facts
  /** The result of an external event that is only recorded; undefined: the acquirer's result counts. */
  readonly recorded?: ResultCode | undefined
}

export type Decision = Go | Refused | Unknown

/** Decides a move that begins a payment. */
export type Begin = (command: Command) => Go | Refused

/** Decides a move that refers to a transaction of a permitted type. */
export type Follow = (reference: Reference) => Go | Refused

/** One row of the table of moves. */
export interface Move {
  /** The decision on a first transaction; null: the move always refers to another transaction. */
  readonly begin: Begin | null
  /** The types to which the move may refer, with the decision for each. */
  readonly after: Readonly<Partial<Record<PaymentType, Follow>>>
  /** The rights of which one is required, and the code for callers without it; absent: no right is required. */
  readonly requiredRight?: { readonly rights: readonly Right[]; readonly code: ResultCode }
  /** The code if the referenced transaction does not exist. */
  readonly unknown: ResultCode
  /** The code if the referenced transaction is of another type than those in `after`. */
  readonly wrongType: ResultCode
  /** The refusals by type of the referenced transaction, if code and reason differ from the usual refusal. */
  readonly wrongTypeRefusals?: Readonly<Partial<Record<PaymentType, Refused>>>
}

/**
 * Accepts a move that begins a payment.
 *
 * @param amountMinorMin the smallest amount that the move may have
 * @returns 100.550.300 if the amount is missing or too small, 100.550.400 if the currency is missing
 */
export function begin(command: Command, amountMinorMin: 0 | 1, facts: Facts = {}): Go | Refused {
  const { type, amountMinor, currency } = command
  if (amountMinor === undefined || amountMinor < amountMinorMin) {
    return refused('100.550.300', 'the amount is missing or too low')
  }
  if (currency === undefined) return refused('100.550.400', 'the currency is missing')
  return { kind: 'go', type, amountMinor, currency, referencedId: null, facts }
}

/** Accepts a referencing move. */
export const follow = ({ referenced, command }: Reference, amountMinor: number, facts: Facts = {}): Go => ({
  kind: 'go',
  type: command.type,
  amountMinor,
  currency: referenced.currency,
  referencedId: referenced.id,
  facts: command.final ? { ...facts, final: true } : facts,
})

/** Accepts a move that records an external event with this result: no acquirer is involved. */
export const record = (reference: Reference, amountMinor: number, recorded: ResultCode): Go => ({
  ...follow(reference, amountMinor),
  facts: {},
  recorded,
})
