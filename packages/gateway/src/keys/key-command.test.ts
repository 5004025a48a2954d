import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyRing, writeKeyRing } from '@tollgate/vault'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '../config.ts'
import { keyCommand } from './key-command.ts'

const text = writeKeyRing(generateKeyRing(randomBytes))
const SECRET = /[0-9a-f]{64}/

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-command-'))
  writeFileSync(join(folder, 'keys.json'), text)
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes a program with these lines of shell, and returns its path. */
function writeProgram(...lines: readonly string[]): string {
  const path = join(folder, 'print-keys')
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(path, 0o700)
  return path
}

async function read(keys: string, timeoutMs?: number): Promise<string> {
  const ring = await keyCommand(keys, timeoutMs)?.read()
  return ring ? writeKeyRing(ring) : 'no keys'
}

const refusal = (reading: Promise<string>) =>
  reading.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof ConfigError ? error.message : Promise.reject(error)),
  )

test('a command receives its arguments unchanged, because no shell interprets them', async () => {
  const path = writeProgram('test "$#" = 2 || exit 9', 'cat "$1"', 'test "$2" = "\\$HOME;*"')
  expect(await read(`exec:${path}  ${join(folder, 'keys.json')} $HOME;*`)).toBe(text)
})

test('a command that reads its standard input gets the end of file', async () => {
  expect(await read(`exec:${writeProgram('cat', `cat ${join(folder, 'keys.json')}`)}`)).toBe(text)
})

test('a value without exec: at its start is not a command', () => {
  expect(keyCommand('/etc/tollgate/keys.json')).toBeUndefined()
  expect(keyCommand('./exec:keys.json')).toBeUndefined()
})

test.each(['exec:', 'exec: ', 'exec:print-keys', 'exec:./print-keys', 'exec:../print-keys'])(
  'the command %j is refused, because its program has no absolute path',
  (keys) => {
    expect(() => keyCommand(keys)).toThrow(/^TOLLGATE_KEYS must name the program after exec: by its absolute path$/)
  },
)

test.each([
  {
    fault: 'fails',
    lines: ['echo "the key is $(cat keys.json)" >&2', 'exit 3'],
    expected: /ended with status 3; run it by/,
  },
  { fault: 'is killed', lines: ['kill -9 $$'], expected: /ended with SIGKILL; run it by hand to see why$/ },
  { fault: 'prints nothing', lines: [], expected: /print-keys: key ring: the text is not valid JSON$/ },
  { fault: 'prints half a ring', lines: ['head -c 200 keys.json'], expected: /key ring: the text is not valid JSON$/ },
  {
    fault: 'prints a key',
    lines: ['grep -o "[0-9a-f]*" keys.json | tail -1'],
    expected: /the text is not valid JSON$/,
  },
  { fault: 'prints without end', lines: ['yes'], expected: /printed more than 16384 bytes, which is no key ring$/ },
])('a command that $fault is reported in one line, without its output', async ({ lines, expected }) => {
  const message = await refusal(read(`exec:${writeProgram(`cd ${folder}`, ...lines)}`))
  expect(message).toMatch(expected)
  expect(message).not.toMatch(/\n/)
  expect(message).not.toMatch(SECRET)
})

test('a program that is missing or not executable is reported', async () => {
  expect(await refusal(read(`exec:${join(folder, 'none')}`))).toMatch(/none cannot be started: ENOENT$/)
  expect(await refusal(read(`exec:${join(folder, 'keys.json')}`))).toMatch(/keys\.json cannot be started: EACCES$/)
})

test('a command that exceeds the timeout is reported, although its child keeps the output open', async () => {
  const path = writeProgram('sleep 60 &', 'sleep 60')
  expect(await refusal(read(`exec:${path}`, 200))).toMatch(/print-keys printed no key ring within 0\.2 seconds$/)
})
