import type { AcquirerAnswer } from '@tollgate/connectors'
import type { Go, Refused, Unknown } from '@tollgate/domain'
import type { AccountRow, StoredTree } from '@tollgate/storage'
import type { Channel } from '../directory.ts'
import type { Gateway } from '../gateway.ts'
import type { Call } from '../http/public/route.ts'
import { refusalOf } from './acceptance.ts'
import { faceOnly, sealedAccount } from './account-record.ts'
import { acquirerQuestion, acquirerAccount } from './acquirer-question.ts'
import { instrumentOfAccount } from './instruments/of-stored.ts'
import { ownIdOf, resultDetailsOf } from './records.ts'

/** A decided RB: the payment that it belongs to, the account that paid, and the id that it gets. */
interface Rebilling {
  readonly call: Call
  readonly id: string
  readonly go: Go
  readonly channel: Channel
  readonly descriptor: string
  readonly stored: StoredTree
  readonly account: AccountRow | undefined
}

/** What the acquirer said, and the account as this transaction owns it. */
interface Rebilled {
  readonly kind: 'said'
  readonly answer: AcquirerAnswer
  readonly account: AccountRow
}

/**
 * RB at the acquirer: a debit of the account that paid before, which nobody has presented now. For the channel it is a
 * new payment: that may have been disabled since, and a card may have expired.
 */
export async function rebill(gateway: Gateway, about: Rebilling): Promise<Rebilled | Refused | Unknown> {
  const { call, id, go, channel, descriptor, stored } = about
  const instrument = instrumentOfAccount(gateway, call, about.account)
  if (instrument.kind === 'unusable') return instrument.why
  try {
    const why = refusalOf({ channel, form: call.form, instrument, type: go.type })
    if (why) return why
    const { account: kind, brand, face, number } = instrument
    const answer = gateway.connector.ask(
      acquirerQuestion(call, go, {
        transactionId: id,
        brand,
        descriptor,
        account: acquirerAccount(instrument),
        partialApproval: channel.settings.partialApproval,
        initialTransactionId: initialTransactionOf(call, stored),
        parameters: merchantInitiated(call),
      }),
    )
    const { merchant } = channel
    const own = { id, merchant, kind, brand, face, atMs: call.atMs }
    const account = number ? await sealedAccount(gateway, number, own) : faceOnly(own)
    return { kind: 'said', answer, account }
  } finally {
    instrument.release()
  }
}

/** The request as that of a merchant who charges an account on file, unless it says itself what it is. */
function merchantInitiated({ form }: Call): ReadonlyMap<string, string> {
  return new Map([
    ['standingInstruction.type', 'UNSCHEDULED'],
    ['standingInstruction.mode', 'REPEATED'],
    ['standingInstruction.source', 'MIT'],
    ...form.values,
  ])
}

/** The id of the payment with which it began, unless the request names another. */
function initialTransactionOf({ form }: Call, { transactions: [root] }: StoredTree): string | undefined {
  const sent = form.values.get('standingInstruction.initialTransactionId')
  return sent ?? (root && ownIdOf(resultDetailsOf(root)))
}
