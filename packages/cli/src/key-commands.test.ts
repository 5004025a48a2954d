import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, startGateway } from '@tollgate/gateway'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-key-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const failure = (line: string) => ({ status: 1, stdout: '', stderr: `tollgate: ${line}\n` })
const ids = (text: string, purpose: 'encryption' | 'fingerprint'): string[] =>
  Object.keys(JSON.parse(text)[purpose].keys)

describe('key generate', () => {
  const generate = (...args: readonly string[]) => runCommand(['key', 'generate', ...args], {})

  test('prints a key ring', async () => {
    const [first, second] = [await generate(), await generate()]
    expect([first.status, first.stderr, first.stdout === second.stdout]).toEqual([0, '', false])
    expect(JSON.parse(first.stdout)).toMatchObject({ version: 2, token: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('writes the ring to a file that only the owner of the file can read, and prints nothing', async () => {
    const file = join(folder, 'keys.json')
    expect(await generate(file)).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(ids(readFileSync(file, 'utf8'), 'encryption')).toHaveLength(1)
  })

  test('never overwrites a file', async () => {
    const file = join(folder, 'keys.json')
    writeFileSync(file, 'the only copy')
    expect(await generate(file)).toEqual(failure(`${file} exists and is not overwritten`))
    expect(readFileSync(file, 'utf8')).toBe('the only copy')
  })

  test.each(['encryption', 'fingerprint'] as const)('adds a current %s key to an existing ring', async (purpose) => {
    const [file, next] = [join(folder, 'keys.json'), join(folder, 'next.json')]
    await generate(file)
    expect(await generate(next, '--from', file, '--purpose', purpose)).toEqual({ status: 0, stdout: '', stderr: '' })
    const [before, after] = [file, next].map((path) => readFileSync(path, 'utf8'))
    const [old, fresh] = ids(after ?? '', purpose)
    expect([old]).toEqual(ids(before ?? '', purpose))
    expect(JSON.parse(after ?? '')[purpose].current).toBe(fresh)
    const reverted = JSON.parse(after ?? '')
    reverted[purpose].current = old
    delete reverted[purpose].keys[fresh ?? '']
    expect(reverted).toEqual(JSON.parse(before ?? ''))
  })

  test('adds an encryption key by default', async () => {
    const file = join(folder, 'keys.json')
    await generate(file)
    expect(ids((await generate('--from', file)).stdout, 'encryption')).toHaveLength(2)
  })

  test('reports an error in one line without the keys', async () => {
    const file = join(folder, 'keys.json')
    const [missing, unwritable] = [join(folder, 'missing.json'), join(folder, 'missing', 'keys.json')]
    writeFileSync(file, `{"version":2,"token":"${'1'.repeat(64)}"}`)
    expect(await generate('--from', file)).toEqual(failure(`${file}: key ring: the text has no member encryption`))
    expect(await generate('--from', missing)).toEqual(
      failure(`${missing}: ENOENT: no such file or directory, open '${missing}'`),
    )
    expect(await generate(unwritable)).toEqual(failure(`ENOENT: no such file or directory, open '${unwritable}'`))
    const message = "option '--purpose <purpose>' argument 'token' is invalid."
    expect(await generate('--purpose', 'token')).toEqual(
      failure(`${message} Allowed choices are encryption, fingerprint; see --help`),
    )
    expect(readdirSync(folder)).toEqual(['keys.json'])
  })

  test('adds no third fingerprint key', async () => {
    const [first, second] = [join(folder, '1.json'), join(folder, '2.json')]
    await generate(first)
    await generate(second, '--from', first, '--purpose', 'fingerprint')
    expect(await generate('--from', second, '--purpose', 'fingerprint')).toEqual(
      failure(`${second}: key ring: fingerprint.keys holds more than 2 keys; retire one first`),
    )
  })
})

describe('keys of a running gateway', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-key-gateway-'))
  const gateway = await startGateway(readConfig({ PORT: '0', TOLLGATE_DATA: data, TOLLGATE_LOG: 'silent' }))
  afterAll(async () => {
    await gateway.stop()
    rmSync(data, { recursive: true })
  })
  const tollgate = (...args: string[]) =>
    runCommand(['key', ...args], { TOLLGATE_MANAGE_PORT: new URL(gateway.manageUrl).port })
  const answer = async (...args: string[]) => {
    const { status, stdout, stderr } = await tollgate(...args)
    expect([status, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const file = () => readFileSync(join(data, 'keys.json'), 'utf8')

  test.each(['encryption', 'fingerprint'] as const)(
    'rotate makes a new %s key current, status shows both keys, and retire removes the previous one',
    async (purpose) => {
      const [old = ''] = ids(file(), purpose)
      const rotated = await answer('rotate', ...(purpose === 'encryption' ? [] : [purpose]))
      expect(ids(file(), purpose)).toHaveLength(2)
      expect(await answer('status')).toEqual(rotated)
      expect(rotated.keys).toContainEqual({ id: old, purpose, state: 'previous', records: 0 })
      const retired = await answer('retire', old)
      expect(JSON.stringify(retired)).not.toContain(old)
      expect(file()).not.toContain(old)
    },
  )

  test.each([
    { args: 'rotate token', error: /^command-argument value 'token' is invalid for argument 'purpose'\. Allowed/ },
    { args: 'retire', error: /^missing required argument 'id'; see --help$/ },
    { args: 'retire kek-0', error: /^There is no key kek-0\.$/ },
    { args: 'retire ../tokens', error: /^params\/id must match pattern/ },
  ])('tollgate key $args reports the error', async ({ args, error }) => {
    const { status, stdout, stderr } = await tollgate(...args.split(' '))
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr.replace(/^tollgate: /, '').trim()).toMatch(error)
  })
})
