import { describe, expect, test } from 'vitest'
import { hostMutations } from './hosts/mutations.ts'
import { mutations } from './mutations.ts'
import { type Run, simulate } from './simulate.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
/** The seeds of the short run are fixed, so that a failure is due to a change; those of the long run are random. */
const seeds = {
  first: isLong ? Math.floor(Math.random() * 2 ** 31) : 1,
  count: isLong ? 10_000 : 24,
}
/** The number of seeds within which each deliberate fault must be found. */
const seedsPerMutation = 60
/** The number of lines of the log that are shown before a violation. */
const shownLines = 40

/** The end of the log, the violation, and the command that repeats the simulation. */
const report = ({ seed, steps, violation, log }: Run) =>
  [...log.slice(-shownLines), `seed ${seed}, step ${steps}: ${violation}`, `npm run simulate -- ${seed}`].join('\n')

test(`every invariant holds in ${seeds.count} simulations from seed ${seeds.first} on`, async () => {
  const failures: string[] = []
  let steps = 0
  for (let seed = seeds.first; seed < seeds.first + seeds.count && failures.length < 3; seed += 1) {
    const run = await simulate(seed)
    steps += run.steps
    if (run.violation !== undefined) failures.push(report(run))
  }
  expect(failures.join('\n\n')).toBe('')
  expect(steps).toBeGreaterThan(seeds.count * 100)
})

test('the same seed gives an identical simulation, independent of earlier simulations', async () => {
  const digests = async (order: readonly number[]) => {
    const runs = new Map<number, string>()
    for (const seed of order) runs.set(seed, (await simulate(seed)).digest)
    return order.toSorted((a, b) => a - b).map((seed) => runs.get(seed))
  }
  const ascending = await digests([11, 12, 13])
  expect(await digests([13, 11, 12])).toEqual(ascending)
  expect(new Set(ascending).size).toBe(3)
})

describe('a deliberate fault is found', () => {
  test.each([...mutations, ...hostMutations])('$description', async (mutation) => {
    const findings: string[] = []
    const { firstSeed = 1 } = mutation
    for (let seed = firstSeed; seed < firstSeed + seedsPerMutation; seed += 1) {
      const { violation } = await simulate(seed, mutation)
      if (violation !== undefined) findings.push(violation)
      if (violation !== undefined && mutation.violation.test(violation)) return
    }
    expect.fail(`not found in ${seedsPerMutation} simulations; other violations: ${findings.join('\n')}`)
  })
})
