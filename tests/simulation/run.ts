import { simulate } from './simulate.ts'

// Replays a seed, step by step: npm run simulate -- <seed>
const seed = Number(process.argv[2] ?? 1)
const { log, steps, broken, digest } = await simulate(seed)
process.stdout.write(`${log.join('\n')}\n`)
process.stdout.write(
  `seed ${seed}: ${steps} steps, digest ${digest}\n${broken === undefined ? '' : `broken: ${broken}\n`}`,
)
process.exitCode = broken === undefined ? 0 : 1
