import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const index = new URL('index.js', import.meta.url).href

/** A program that announces a number to the thread, although its slot is empty. */
const program = `
  import { randomBytes } from 'node:crypto'
  import { generateKeyRing, openVaultThread } from '${index}'
  let thread
  process.once('worker', (worker) => { thread = worker })
  const vault = await openVaultThread(generateKeyRing(randomBytes))
  thread.postMessage(1)
  await new Promise((resolve) => thread.once('exit', resolve))
  console.log('still running')
`

it('by default, the process exits with 70 and a reason when the thread of its vault fails', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program])
  expect({ status, stdout: String(stdout), stderr: String(stderr) }).toEqual({
    status: 70,
    stdout: '',
    stderr: 'the vault failed, the process ends: the sealing thread failed: the slot contains no number\n',
  })
})
