#!/usr/bin/env -S node --max-semi-space-size=32
import { run } from './run.ts'

process.exitCode = await run(process.argv.slice(2))
