import { DAY_MS } from '@tollgate/contract'
import { invariant } from '../guard.ts'
import { parseAmount } from '../money.ts'
import type { Command } from '../payment/command.ts'
import {
  apply,
  isPaymentType,
  rootOf,
  type Transaction,
  type TransactionStatus,
  transactionStatuses,
  type Tree,
} from '../payment/transaction.ts'

const LINE = /^(..)(?: (\d+\.\d\d))?(?: in (\d+))?(?: of (\d+))?(?: (NOK|SENT|PENDING))?( FINAL)?(?: on day ([\d.]+))?$/

/**
 * A line of an example: `PA 92.00 in 3` (at most 3 captures), `CP 60.00 of 1 FINAL on day 2`. A line
 * without these parts refers to transaction 1, is approved and happens on day 0.
 */
export interface ExampleLine {
  readonly command: Command
  readonly referencedId: string
  readonly status: TransactionStatus
}

/** Parses a line. The ids of transactions are their positions in the example: 1 is the root. */
export function parseLine(text: string): ExampleLine {
  const [, type = '', amount, captures, of = '1', status, final, day = '0'] = LINE.exec(text) ?? []
  invariant(isPaymentType(type), `an example line begins with a payment type: ${text}`)
  const parsed = amount === undefined ? undefined : parseAmount(amount, 'EUR')
  const command: Command = {
    type,
    amountMinor: parsed?.kind === 'amount' ? parsed.amountMinor : undefined,
    currency: parsed && 'EUR',
    channel: 'channel',
    brand: 'VISA',
    final: final !== undefined,
    numberOfCaptures: captures === undefined ? undefined : Number(captures),
    atMs: Number(day) * DAY_MS,
  }
  return { command, referencedId: of, status: transactionStatuses.find((candidate) => candidate === status) ?? 'ACK' }
}

/** The payment of these lines, with a Visa card and seven days for captures. The moves need not be legal. */
export function exampleTree(lines: readonly string[], root: Partial<Transaction> = {}): Tree {
  const tree = lines.map(parseLine).reduce<Tree | undefined>((before, { command, referencedId, status }) => {
    const { type, amountMinor = 0, channel, final, numberOfCaptures = 98, atMs } = command
    const isPreauthorisation = type === 'PA' && !before
    const transaction: Transaction = {
      id: String((before?.transactions.length ?? 0) + 1),
      rootId: '1',
      referencedId: before ? referencedId : null,
      type,
      status,
      amountMinor,
      currency: 'EUR',
      brand: 'VISA',
      method: 'CC',
      testMode: 'INTERNAL',
      channel,
      facts: {
        ...(isPreauthorisation && { numberOfCaptures, expiresAtMs: atMs + 7 * DAY_MS }),
        ...(final && { final: true }),
      },
      createdAtMs: atMs,
    }
    return apply(before, before ? transaction : { ...transaction, ...root })
  }, undefined)
  invariant(tree !== undefined && rootOf(tree).id === '1', 'an example has a root')
  return tree
}
