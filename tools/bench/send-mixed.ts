import { readFileSync } from 'node:fs'
import { type MixedLoad, sendMixed } from './mixed-load.ts'

// A process that sends one mixed load: `node send-mixed.js <file with the load>`. It prints the figures of each
// interval, and at the end the requests that were not sent or not answered, as lines of JSON.

const load: MixedLoad = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const print = (figures: object) => void process.stdout.write(`${JSON.stringify(figures)}\n`)
print(await sendMixed(load, print))
