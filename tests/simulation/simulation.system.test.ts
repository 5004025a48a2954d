import { describe, expect, test } from 'vitest'
import { mutations } from './mutations.ts'
import { type Run, simulate } from './simulate.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
/** The same seeds each time, so that a failure is due to the change; other seeds in the long run. */
const seeds = {
  first: isLong ? Math.floor(Math.random() * 2 ** 31) : 1,
  count: isLong ? 10_000 : 120,
}
/** Within so many seeds each deliberate fault is found. */
const seedsOfMutation = 60
/** Lines of the log before the broken promise. */
const shownLines = 40

/** What failed, and how to see it again. */
const report = ({ seed, steps, broken, log }: Run) =>
  [...log.slice(-shownLines), `seed ${seed}, step ${steps}: ${broken}`, `npm run simulate -- ${seed}`].join('\n')

test(`every promise holds in ${seeds.count} worlds from seed ${seeds.first} on`, async () => {
  const failures: string[] = []
  let steps = 0
  for (let seed = seeds.first; seed < seeds.first + seeds.count && failures.length < 3; seed += 1) {
    const run = await simulate(seed)
    steps += run.steps
    if (run.broken !== undefined) failures.push(report(run))
  }
  expect(failures.join('\n\n')).toBe('')
  expect(steps).toBeGreaterThan(seeds.count * 100)
})

test('the same seed gives an identical world, independent of earlier simulations', async () => {
  const digests = async (order: readonly number[]) => {
    const runs = new Map<number, string>()
    for (const seed of order) runs.set(seed, (await simulate(seed)).digest)
    return order.toSorted((a, b) => a - b).map((seed) => runs.get(seed))
  }
  const there = await digests([11, 12, 13])
  expect(await digests([13, 11, 12])).toEqual(there)
  expect(new Set(there).size).toBe(3)
})

describe('a deliberate fault is found', () => {
  test.each(mutations)('$what', async (mutation) => {
    const findings: string[] = []
    for (let seed = 1; seed <= seedsOfMutation; seed += 1) {
      const { broken } = await simulate(seed, mutation)
      if (broken !== undefined) findings.push(broken)
      if (broken !== undefined && mutation.found.test(broken)) return
    }
    expect.fail(`not found in ${seedsOfMutation} worlds; other findings: ${findings.join('\n')}`)
  })
})
