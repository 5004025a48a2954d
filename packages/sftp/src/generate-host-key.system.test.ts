import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateHostKey } from './generate-host-key.ts'
import { fingerprintOf, parsePublicKey } from './public-key.ts'
import { hasOpenSsh, openSsh, runProgram } from './testing/open-ssh.ts'

test.runIf(hasOpenSsh())('OpenSSH reads generated host keys', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'host-key-'))
  for (let index = 0; index < 20; index++) {
    const path = join(folder, `key-${index}`)
    writeFileSync(path, generateHostKey(), { mode: 0o600 })
    const { code, output } = await runProgram(openSsh.keygen, ['-y', '-f', path])
    expect(code).toBe(0)
    const key = parsePublicKey(output.trim())
    expect(output.trim()).toBe(`${key?.line} tollgate`)
    const listed = await runProgram(openSsh.keygen, ['-l', '-f', path])
    expect(listed.output).toContain(`256 ${key && fingerprintOf(key.digest)} `)
  }
  rmSync(folder, { recursive: true })
})
