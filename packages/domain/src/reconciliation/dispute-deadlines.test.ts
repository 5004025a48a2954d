import type { DisputeNetwork } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { answerDueOn, type AnswerableStage } from './dispute-deadlines.ts'

test.each<[DisputeNetwork, AnswerableStage, dueOn: string | undefined]>([
  ['VISA', 'chargeback', '2026-12-01'],
  ['VISA', 'preArbitration', '2026-12-01'],
  ['MASTER', 'chargeback', '2026-12-16'],
  ['MASTER', 'preArbitration', '2026-12-01'],
  ['AMEX', 'chargeback', '2026-11-21'],
  ['AMEX', 'preArbitration', undefined],
  ['DISCOVER', 'chargeback', '2026-12-01'],
  ['DISCOVER', 'preArbitration', undefined],
  ['SEPA', 'chargeback', undefined],
])('%s, %s: a dispute of 2026-11-01 is answered by %s', (network, stage, dueOn) => {
  expect(answerDueOn(network, stage, '2026-11-01')).toBe(dueOn)
})
