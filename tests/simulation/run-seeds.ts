import { simulate } from './simulate.ts'

// Runs the simulations of successive seeds, and prints violations and progress:
// node tests/dist/simulation/run-seeds.js <first seed> <count> [<time limit in seconds>]

/** The number of seeds between two lines about the progress. */
const PROGRESS_SEEDS = 100

const [first = 1, count = 1_000, seconds = Number.POSITIVE_INFINITY] = process.argv.slice(2).map(Number)
const endsAtMs = Date.now() + seconds * 1_000
let failures = 0
let seed = first

const write = (line: string): void => void process.stdout.write(`${line}\n`)
const writeProgress = (): void => write(`${seed - first} simulations from seed ${first} on, ${failures} violations`)

for (; seed < first + count && Date.now() < endsAtMs; seed += 1) {
  if (seed > first && (seed - first) % PROGRESS_SEEDS === 0) writeProgress()
  const { steps, violation } = await simulate(seed)
  if (violation === undefined) continue
  failures += 1
  write(`seed ${seed}, step ${steps}: ${violation}`)
}
writeProgress()
process.exitCode = failures === 0 ? 0 : 1
