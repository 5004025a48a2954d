import { transactionRow } from '@tollgate/gateway/testing'
import type { TransactionRow } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { originalOf } from './authorisation-request.ts'

const preauthorisation = transactionRow({ type: 'PA', amount_minor: 9200 })
const followUp = (type: string, amount_minor: number, changes: Partial<TransactionRow> = {}): TransactionRow =>
  transactionRow({ type, amount_minor, referenced_id: preauthorisation.id, root_id: preauthorisation.id, ...changes })

test.each<readonly [title: string, followUps: readonly TransactionRow[], amountMinor: number]>([
  ['its own', [], 9200],
  ['less its reversals', [followUp('RV', 1000), followUp('RV', 200)], 8000],
  ['with its increases', [followUp('PA', 800), followUp('RV', 1000)], 9000],
  ['without follow-ups that were declined', [followUp('RV', 1000, { status: 'NOK' })], 9200],
  ['without follow-ups that have no result', [followUp('PA', 1000, { status: 'SENT' })], 9200],
  ['whatever was captured', [followUp('CP', 1000)], 9200],
  ['whatever was reversed of other transactions', [followUp('RV', 1000, { referenced_id: 'other' })], 9200],
])('the amount of an original is %s', (_, followUps, amountMinor) => {
  expect(originalOf(preauthorisation, [preauthorisation, ...followUps])).toMatchObject({ amountMinor })
})
