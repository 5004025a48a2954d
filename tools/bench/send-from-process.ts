import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { scratch } from './clean-up.ts'
import { limits } from './limits.ts'
import type { OpenLoopFigures, OpenLoopLoad } from './open-loop-load.ts'

const senderMain = fileURLToPath(new URL('send-open-loop.js', import.meta.url))
const execute = promisify(execFile)
/** More payments than one process sends. */
const NUMBERS_PER_PROCESS = 100_000_000
let processCount = 0

/**
 * Sends a load from a process of its own.
 * @param niceness of that process: 0 is the normal priority, and higher values are lower priorities
 */
export async function sendFromProcess(
  unnumbered: Omit<OpenLoopLoad, 'firstNumber'>,
  niceness = 0,
): Promise<OpenLoopFigures> {
  processCount += 1
  const openLoop: OpenLoopLoad = { ...unnumbered, firstNumber: processCount * NUMBERS_PER_PROCESS }
  const file = scratch(`open-loop-${processCount}.json`)
  writeFileSync(file, JSON.stringify(openLoop))
  const { stdout } = await execute(process.execPath, [senderMain, file, String(niceness)], {
    timeout: openLoop.seconds * 1000 + limits.loadGraceMs,
  })
  return JSON.parse(stdout)
}
