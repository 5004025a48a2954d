import { simulate } from './simulate.ts'

// Replays a seed and prints its log: npm run simulate -- <seed>
const seed = Number(process.argv[2] ?? 1)
const { log, steps, violation, digest } = await simulate(seed)
process.stdout.write(`${log.join('\n')}\n`)
process.stdout.write(
  `seed ${seed}: ${steps} steps, digest ${digest}\n${violation === undefined ? '' : `violation: ${violation}\n`}`,
)
process.exitCode = violation === undefined ? 0 : 1
