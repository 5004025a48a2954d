import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** The program, as built. Other tests run commands in their own process, because it takes long to start one. */
const program = fileURLToPath(new URL('../../../dist/tollgate.js', import.meta.url))

test.each([
  { args: ['token', 'list', '--colour'], code: 1, stdout: /^$/, stderr: /^tollgate: unknown option '--colour'; .+\n$/ },
  { args: ['--help'], code: 0, stdout: /^Usage: tollgate /, stderr: /^$/ },
])('tollgate $args exits with status $code', async ({ args, code, stdout, stderr }) => {
  const result = new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env: {} }, (_error, out, err) =>
      resolve([child.exitCode, out, err]),
    )
  })
  expect(await result).toEqual([code, expect.stringMatching(stdout), expect.stringMatching(stderr)])
})
