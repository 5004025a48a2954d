import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forwardClock, type StepBack } from './forward-clock.ts'
import { limits } from '../../limits.ts'

const START_MS = 1_800_000_000_000

/** A machine whose clock the test sets, and a forward clock of that machine. */
function createClocks(latestMs = 0) {
  const machine = { nowMs: START_MS, now: () => machine.nowMs }
  const steps: StepBack[] = []
  const clock = forwardClock(machine, { latestMs, onStepBack: (step) => void steps.push(step) })
  /** Sets the clock of the machine, and returns the time of the forward clock; both in milliseconds since START_MS. */
  const clockAt = (ms: number) => ((machine.nowMs = START_MS + ms), clock.now() - START_MS)
  return { machine, steps, clock, clockAt }
}

test.each<readonly [behaviour: string, machineAndClock: readonly (readonly [number, number])[]]>([
  [
    'follows the machine',
    [
      [0, 0],
      [1, 1],
      [500, 500],
    ],
  ],
  [
    'jumps forward with the machine',
    [
      [0, 0],
      [86_400_000_000, 86_400_000_000],
    ],
  ],
  [
    'runs at half speed while the machine is behind',
    [
      [10_000, 10_000],
      [5_000, 10_000],
      [7_000, 11_000],
      [9_000, 12_000],
    ],
  ],
  [
    'follows the machine again once it has caught up',
    [
      [10_000, 10_000],
      [5_000, 10_000],
      [15_000, 15_000],
      [15_001, 15_001],
    ],
  ],
  [
    'continues from its time when the machine goes back again',
    [
      [10, 10],
      [5, 10],
      [9, 12],
      [4, 12],
      [8, 14],
      [14, 14],
      [15, 15],
    ],
  ],
  [
    'follows the machine again after a step back of one millisecond',
    [
      [10, 10],
      [9, 10],
      [10, 10],
      [11, 11],
    ],
  ],
])('the clock %s', (_, machineAndClock) => {
  const { clockAt } = createClocks()
  for (const [machineMs, clockMs] of machineAndClock)
    expect([machineMs, clockAt(machineMs)]).toEqual([machineMs, clockMs])
})

test('the clock begins at the latest time that an earlier process has stored', () => {
  const { clockAt } = createClocks(START_MS + 5_000)
  expect([0, 4_000, 9_999, 10_000, 10_001].map(clockAt)).toEqual([5_000, 7_000, 9_999, 10_000, 10_001])
})

describe('a machine whose clock was far ahead and is corrected', () => {
  const farMs = limits.clockBackMsMax + 1

  test('is followed, and later steps back slow the clock as usual', () => {
    const { clockAt, steps } = createClocks()
    expect([farMs, 0, 10, 5, 15].map(clockAt)).toEqual([farMs, 0, 10, 10, 15])
    expect(steps[0]).toEqual({ behindMs: farMs, response: 'followed' })
  })

  test('is followed at a start, too', () => {
    const { clockAt } = createClocks(START_MS + farMs)
    expect(clockAt(0)).toBe(0)
  })

  test('slows the clock if the step back is equal to the bound', () => {
    const { clockAt } = createClocks(START_MS + limits.clockBackMsMax)
    expect(clockAt(0)).toBe(limits.clockBackMsMax)
  })
})

test('a step back is reported once, and repeated steps once a minute', () => {
  const { clockAt, steps } = createClocks()
  for (const ms of [1_000, 0, 1, 2]) clockAt(ms)
  expect(steps).toEqual([{ behindMs: 1_000, response: 'slowed' }])
  for (const ms of [30_000, 29_000, 50_000, 40_000]) clockAt(ms)
  expect(steps).toHaveLength(1)
  for (const ms of [limits.clockWarningEveryMs + 1_000, limits.clockWarningEveryMs]) clockAt(ms)
  expect(steps).toHaveLength(2)
})

test('for any steps within the bound, time never goes back, is in whole milliseconds and catches up', () => {
  const anyJumpMs = fc.integer({ min: -limits.clockBackMsMax / 20, max: limits.clockBackMsMax / 20 })
  fc.assert(
    fc.property(fc.array(anyJumpMs, { maxLength: 20 }), (jumps) => {
      const { machine, clock } = createClocks()
      let before = clock.now()
      for (const jumpMs of jumps) {
        machine.nowMs += jumpMs
        const now = clock.now()
        expect(now).toBeGreaterThanOrEqual(before)
        expect(Number.isSafeInteger(now)).toBe(true)
        before = now
      }
      machine.nowMs += 2 * Math.max(0, before - machine.nowMs)
      expect(clock.now()).toBe(machine.nowMs)
    }),
  )
})
