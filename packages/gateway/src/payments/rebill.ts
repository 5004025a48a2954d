import type { AcquirerAnswer } from '@tollgate/connectors'
import { type Go, type Refused, statusOf, type Unknown } from '@tollgate/domain'
import type { AccountRow, StoredTree } from '@tollgate/storage'
import type { Channel } from '../directory.ts'
import type { Proposal, Unique } from '../funnel.ts'
import type { Gateway } from '../gateway.ts'
import type { Call } from '../http/public/route.ts'
import { refusalOf } from './acceptance.ts'
import { sealedAccount } from './records/account-record.ts'
import { acquirerQuestion, acquirerAccount } from './acquirer-question.ts'
import { checkedInstruction, INITIAL_ID, type OnFile, onFile } from './card-on-file.ts'
import type { UsableInstrument } from './instruments/instrument.ts'
import { refusesDuplicates, uniqueOf } from './duplicates.ts'
import { instrumentOfAccount } from './instruments/of-stored.ts'
import { ownIdOf, resultDetailsOf } from './records/payment-record.ts'

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

/** What the acquirer said, the account as this transaction owns it, and what it is charged under. */
interface Rebilled {
  readonly kind: 'said'
  readonly answer: AcquirerAnswer
  readonly account: AccountRow
  readonly agreed: OnFile
  readonly unique: Unique | undefined
}

/**
 * RB at the acquirer: a debit of the account that paid before, which nobody has presented now. For the channel it is a
 * new payment: that may have been disabled since, a card may have expired, and twice the same is a duplicate.
 *
 * @param refuse what becomes of it if the same was taken just before, by the payment of that id
 */
export async function rebill(
  gateway: Gateway,
  about: Rebilling,
  refuse: (why: Refused, first: string) => Proposal,
): Promise<Rebilled | Refused | Unknown> {
  const { id, go, channel, descriptor } = about
  const call = merchantInitiated(about.call)
  const instrument = instrumentOfAccount(gateway, call, about.account)
  if (instrument.kind === 'unusable') return instrument.why
  try {
    const why = refusalOf({ channel, form: call.form, instrument, type: go.type })
    if (why) return why
    const agreed = await agreementOf(gateway, call, about, instrument)
    if (agreed.kind !== 'go') return agreed
    const { account: kind, brand, face, number } = instrument
    const answer = gateway.connector.ask(
      acquirerQuestion(call, go, {
        transactionId: id,
        brand,
        descriptor,
        account: acquirerAccount(instrument),
        partialApproval: channel.settings.partialApproval,
        initialTransactionId: agreed.initialTransactionId,
      }),
    )
    const { merchant } = channel
    const { atMs } = call
    const account = await sealedAccount(gateway, number, { id, merchant, kind, brand, face, atMs })
    const merchantTransactionId = call.form.values.get('merchantTransactionId')
    const unique =
      statusOf(answer.code) !== 'NOK' && refusesDuplicates(channel)
        ? uniqueOf(gateway, { id, channel, merchantTransactionId, number, go, atMs }, refuse)
        : undefined
    return { kind: 'said', answer, account, agreed, unique }
  } finally {
    instrument.release()
  }
}

/** The request as that of a merchant who charges an account on file, unless it says itself what it is. */
function merchantInitiated(call: Call): Call {
  const values = new Map([
    ['standingInstruction.type', 'UNSCHEDULED'],
    ['standingInstruction.mode', 'REPEATED'],
    ['standingInstruction.source', 'MIT'],
    ...call.form.values,
  ])
  return { ...call, form: { ...call.form, values } }
}

/**
 * What a rebill is charged under. It follows the payment with which all began, unless the request names another. Only
 * one that says what it is by `standingInstruction` is a charge under an agreement: held to its terms, and counted.
 * What comes on top of an instalment, or was charged back, is none.
 */
async function agreementOf(
  gateway: Gateway,
  call: Call,
  { call: { form }, go, channel, stored }: Rebilling,
  instrument: UsableInstrument,
): Promise<OnFile | Refused> {
  const [root] = stored.transactions
  const sent = form.values.get(INITIAL_ID)
  const initialTransactionId = sent ?? (root && ownIdOf(resultDetailsOf(root)))
  const isCharge = form.sent.some(({ structure }) => structure === 'standingInstruction')
  const named = sent === undefined && root ? { row: root, version: stored.version } : undefined
  const agreed = isCharge
    ? await onFile(gateway, call, { channel, instrument, go, initialTransactionId, named })
    : checkedInstruction(call, channel, instrument, initialTransactionId)
  if (!agreed) throw new Error('a rebill is a charge by the merchant')
  return agreed.kind === 'refused' ? agreed : { initialTransactionId, agreementId: undefined, guards: [], ...agreed }
}
