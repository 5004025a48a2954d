import { describe, expect, test } from 'vitest'
import {
  type DisputeFlow,
  type DisputeMovement,
  type DisputeStage,
  disputeStages,
  disputeStateOf,
  type DisputeStep,
  disputeSteps,
  stageAfterMovement,
  stageAfterStep,
  stepsOf,
} from './dispute-stages.ts'

/** Every permitted step; all other pairs of stage and step are refused. */
const examples: readonly (readonly [DisputeStage, DisputeStep, DisputeStage, DisputeFlow?])[] = [
  ['inquiry', 'submit', 'inquiryAnswered'],
  ['inquiry', 'accept', 'accepted'],
  ['inquiry', 'expire', 'expired'],
  ['inquiryAnswered', 'accept', 'accepted'],
  ['inquiryAnswered', 'win', 'won'],
  ['inquiryAnswered', 'lose', 'lost'],
  ['chargeback', 'submit', 'representment', 'collaboration'],
  ['chargeback', 'submit', 'preArbitrationContested', 'allocation'],
  ['chargeback', 'accept', 'accepted'],
  ['chargeback', 'win', 'won'],
  ['chargeback', 'lose', 'lost'],
  ['chargeback', 'expire', 'expired'],
  ['representment', 'accept', 'accepted'],
  ['representment', 'win', 'won'],
  ['representment', 'lose', 'lost'],
  ['preArbitration', 'submit', 'preArbitrationContested'],
  ['preArbitration', 'escalate', 'arbitration'],
  ['preArbitration', 'accept', 'accepted'],
  ['preArbitration', 'win', 'won'],
  ['preArbitration', 'lose', 'lost'],
  ['preArbitration', 'expire', 'expired'],
  ['preArbitrationContested', 'escalate', 'arbitration'],
  ['preArbitrationContested', 'accept', 'accepted'],
  ['preArbitrationContested', 'win', 'won'],
  ['preArbitrationContested', 'lose', 'lost'],
  ['arbitration', 'accept', 'accepted'],
  ['arbitration', 'win', 'won'],
  ['arbitration', 'lose', 'lost'],
]

describe('a step', () => {
  const rows = examples.map(([stage, step, next, flow = 'collaboration']) => ({ stage, step, next, flow }))
  test.each(rows)('$stage, $step: $next ($flow)', ({ stage, step, next, flow }) => {
    expect(stageAfterStep(stage, step, flow)).toBe(next)
    expect(stepsOf(stage)).toContain(step)
  })

  const permitted = new Set(examples.map(([stage, step]) => `${stage} ${step}`))
  const others = disputeStages.flatMap((stage) => disputeSteps.map((step) => ({ stage, step })))
  const refused = others.filter(({ stage, step }) => !permitted.has(`${stage} ${step}`))
  test.each(refused)('$stage, $step: refused', ({ stage, step }) => {
    expect(stageAfterStep(stage, step, 'collaboration')).toBeUndefined()
    expect(stageAfterStep(stage, step, 'allocation')).toBeUndefined()
    expect(stepsOf(stage)).not.toContain(step)
  })

  test.each(disputeStages)(
    'of the stage %s exists exactly if it is not closed, and expires only if it waits',
    (stage) => {
      const state = disputeStateOf(stage)
      expect(stepsOf(stage).length > 0).toBe(state !== 'closed')
      expect(stepsOf(stage).includes('expire')).toBe(state === 'answerNeeded')
    },
  )

  test('leads from an inquiry or a chargeback to every stage', () => {
    const reached = new Set<DisputeStage>(['inquiry', 'chargeback', 'preArbitration'])
    for (const _ of disputeStages) for (const [stage, , next] of examples) if (reached.has(stage)) reached.add(next)
    expect([...reached].toSorted()).toEqual([...disputeStages].toSorted())
  })
})

describe('a movement of money', () => {
  test.each<[DisputeMovement, answerable: boolean, before: DisputeStage | undefined, after: DisputeStage]>([
    ['chargeback', true, undefined, 'chargeback'],
    ['chargeback', true, 'inquiryAnswered', 'chargeback'],
    ['chargeback', true, 'won', 'chargeback'],
    ['chargeback', false, undefined, 'lost'],
    ['secondChargeback', true, 'won', 'preArbitration'],
    ['secondChargeback', true, 'representment', 'preArbitration'],
    ['secondChargeback', false, 'won', 'lost'],
    ['reversal', true, 'representment', 'won'],
    ['reversal', true, 'expired', 'won'],
    ['reversal', true, undefined, 'won'],
    ['partialReversal', true, 'representment', 'representment'],
    ['partialReversal', true, undefined, 'chargeback'],
  ])('%s (answerable: %s) in the stage %s: %s', (movement, answerable, before, after) => {
    expect(stageAfterMovement(before, movement, () => answerable)).toBe(after)
  })
})
