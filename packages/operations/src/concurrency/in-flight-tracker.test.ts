import { expect, test } from 'vitest'
import { createUnderWay } from './in-flight-tracker.ts'

/** Notes when it has settled. */
function asked(underWay: ReturnType<typeof createUnderWay>) {
  const state = { settled: false }
  void note()
  return state

  async function note(): Promise<void> {
    await underWay.settled()
    state.settled = true
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('where nothing is under way, it has settled', async () => {
  await createUnderWay().settled()
})

test('it settles once all that had begun has ended, whatever begins meanwhile', async () => {
  const underWay = createUnderWay()
  const [one, two] = [underWay.enter(), underWay.enter()]
  const first = asked(underWay)
  const three = underWay.enter()
  underWay.leave(one)
  await turn()
  expect(first.settled).toBe(false)
  underWay.leave(two)
  await turn()
  expect(first.settled).toBe(true)
  underWay.leave(three)
})

test('who asks later waits for all of them', async () => {
  const underWay = createUnderWay()
  const one = underWay.enter()
  const first = asked(underWay)
  const two = underWay.enter()
  const second = asked(underWay)
  const third = asked(underWay)
  underWay.leave(two)
  await turn()
  expect([first, second, third].map(({ settled }) => settled)).toEqual([false, false, false])
  underWay.leave(one)
  await turn()
  expect([first, second, third].map(({ settled }) => settled)).toEqual([true, true, true])
})
