import type { Command } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { createProgram, run } from './run.ts'

afterEach(() => vi.restoreAllMocks())

const commandsByPath = (command: Command, path = ''): (readonly [path: string, command: Command])[] =>
  command.commands.flatMap((subcommand) => [
    [`${path}${subcommand.name()}`, subcommand] as const,
    ...commandsByPath(subcommand, `${path}${subcommand.name()} `),
  ])

test('every command has a description', () => {
  const commands = commandsByPath(createProgram())
  expect(commands.map(([path]) => path)).toEqual(expect.arrayContaining(['serve', 'key', 'key rotate']))
  expect(commands.filter(([, command]) => command.description() === '').map(([path]) => path)).toEqual([])
})

test.each([
  ['--acquirer-cut-off', '25:00'],
  ['--acquirer-time-zone', 'Europe/Nowhere'],
  ['--acquirer-settlement-format', 'pdf'],
])('the simulated acquirer refuses %s %s', async (option, value) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(await run(['simulate', '--port', '0', '--acquirer-port', '0', option, value])).toBe(1)
  expect(written.mock.calls.flat().join('')).toContain(option)
})

test('the simulated SFTP server requires a port, a folder and keys, which can be read', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const simulate = ['simulate', '--port', '0', '--acquirer-port', '0']
  const complete = ['--sftp-port', '0', '--sftp-folder', '/tmp', '--sftp-keys', '/dev/null/none']
  expect(await run([...simulate, '--sftp-port', '0'])).toBe(1)
  expect(await run([...simulate, ...complete, '--acquirer-settlement-folder', '/tmp'])).toBe(1)
  expect(await run([...simulate, ...complete])).toBe(1)
  expect(written.mock.calls.map(([text]) => text)).toEqual([
    'tollgate: an SFTP server requires --sftp-port, --sftp-folder and --sftp-keys\n',
    'tollgate: --acquirer-settlement-folder: with --sftp-folder, the files are in its folder settlement\n',
    'tollgate: --sftp-keys: /dev/null/none: the file cannot be read\n',
  ])
  written.mockRestore()
})

test('the TLS of the simulated acquirer requires a certificate and its key, which can be read', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const simulate = ['simulate', '--port', '0', '--acquirer-port', '0']
  expect(await run([...simulate, '--acquirer-client-ca', '/dev/null'])).toBe(1)
  expect(await run([...simulate, '--acquirer-cert', '/dev/null', '--acquirer-key', '/dev/null'])).toBe(1)
  expect(written.mock.calls.map(([text]) => text)).toEqual([
    'tollgate: TLS of the acquirer requires --acquirer-cert and --acquirer-key\n',
    'tollgate: --acquirer-cert: /dev/null is not a regular file\n',
  ])
  written.mockRestore()
})
