import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { send, type Stream } from './stream.ts'

// A process that sends one stream: `node send-stream.js <file with the stream> [niceness]`. It prints the figures of
// the stream as JSON.

const [file = '', niceness = '0'] = process.argv.slice(2)
setPriority(Number(niceness))
const stream: Stream = JSON.parse(readFileSync(file, 'utf8'))
process.stdout.write(JSON.stringify(await send(stream)))
