#!/usr/bin/env -S node --max-semi-space-size=32 --v8-pool-size=1
import { setFlagsFromString } from 'node:v8'
import { run } from './run.ts'

// A request passes through many small functions: V8 may inline more of them than by default (decision 0010).
setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000')

process.exitCode = await run(process.argv.slice(2))
