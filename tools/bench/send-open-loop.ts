import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { type OpenLoopLoad, sendOpenLoop } from './open-loop-load.ts'

// A process that sends one open-loop load: `node send-open-loop.js <file with the load> [niceness]`. It prints the
// figures as JSON.

const [file = '', niceness = '0'] = process.argv.slice(2)
setPriority(Number(niceness))
const load: OpenLoopLoad = JSON.parse(readFileSync(file, 'utf8'))
process.stdout.write(JSON.stringify(await sendOpenLoop(load)))
