import { echoOf } from '@tollgate/contract'
import { deregister as decide, refusalHttpStatus } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { Proposal } from '../funnel.ts'
import type { Gateway } from '../gateway.ts'
import type { Call } from '../http/public/route.ts'
import { shredded } from './account-record.ts'
import { type Outcome, resultView } from './outcome.ts'
import { REGISTRATION_DONE, registrationOf, registrationRow } from './registration-record.ts'
import { renderTransaction } from './view.ts'

const OUTCOME: Outcome = {
  result: resultView(REGISTRATION_DONE),
  resultDetails: { ExtendedDescription: 'The stored payment details are erased.' },
}

/** DR: ends a registration and shreds its card. Payments made with it own a sealed number each and stay refundable. */
export async function deregister(gateway: Gateway, call: Call): Promise<Proposal> {
  const { storage, ids, render } = gateway
  const known = await registrationOf(gateway, call)
  const channel = call.channels.find(({ id }) => id === known?.channel) ?? call.channels[0]
  const decision = decide(known, channel?.id ?? known?.channel ?? '', call.atMs)
  if (decision.kind !== 'go')
    return { answer: render.refusal(refusalHttpStatus[decision.kind], decision.code, call, decision) }

  const tree = await storage.treeOf(call.id)
  const root = tree?.transactions[0]
  const account = await storage.account(decision.registration.accountId)
  if (!tree || !root || !account) throw new Error('a registration has a tree and an account')
  const row: TransactionRow = {
    ...root,
    id: ids.ordered(),
    referenced_id: root.id,
    type: 'DR',
    result_code: REGISTRATION_DONE,
    merchant_transaction_id: null,
    echo: JSON.stringify(echoOf(call.form)),
    outcome: JSON.stringify(OUTCOME),
    created_at_ms: call.atMs,
  }
  return {
    answer: { status: 200, code: REGISTRATION_DONE, body: renderTransaction(render, row, call) },
    guards: [{ id: tree.id, merchant: tree.merchant, version: tree.version }],
    // Not a row that was rewrapped meanwhile: what is erased is what was read.
    swaps: [{ from: account, to: shredded(account) }],
    rows: {
      payment_transaction: [row],
      registration: [registrationRow(decision.registration, tree.merchant)],
    },
    erases: true,
  }
}
