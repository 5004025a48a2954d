import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientArguments, createKeyPair, hasOpenSsh, type KeyPair, openSsh, runProgram } from '../testing/open-ssh.ts'
import { directoryTree } from '../tree/directory-tree.ts'
import { type SftpServer, type SftpServerEvent, startSftpServer } from './start-sftp-server.ts'

// OpenSSH's own client against the read-only server.

const canRun = hasOpenSsh()
const home = mkdtempSync(join(tmpdir(), 'sftp-server-'))
const [tree, local, knownHosts] = [join(home, 'tree'), join(home, 'local'), join(home, 'known-hosts')]
const events: SftpServerEvent[] = []
let server: SftpServer
let user: KeyPair
let other: KeyPair

const report = Buffer.from('row;amount\n'.repeat(50_000))

beforeAll(async () => {
  if (!canRun) return
  for (const folder of [local, join(tree, 'shop/2026'), join(tree, 'other'), join(home, 'outside')])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(tree, 'shop/report.csv'), report)
  writeFileSync(join(tree, 'shop/2026/may.csv'), 'may')
  writeFileSync(join(tree, 'shop/.june.csv.7.part'), 'partial')
  writeFileSync(join(tree, 'other/secret.csv'), 'secret')
  writeFileSync(join(home, 'outside/secret.csv'), 'secret')
  symlinkSync(join(home, 'outside'), join(tree, 'shop/link'))
  symlinkSync(join(tree, 'other/secret.csv'), join(tree, 'shop/link.csv'))
  const hostKey = createKeyPair(home, 'host')
  user = createKeyPair(home, 'user')
  other = createKeyPair(home, 'other')
  server = await startSftpServer({
    hostKeys: [hostKey.privateKey],
    users: (name) => (name === 'shop' ? { publicKeys: [user.publicKey], root: '/shop' } : undefined),
    tree: await directoryTree(tree),
    listen: { port: 0, host: '127.0.0.1' },
    onEvent: (event) => events.push(event),
  })
  writeFileSync(knownHosts, `[127.0.0.1]:${server.port} ${hostKey.publicKey}\n`)
})

afterAll(async () => {
  if (canRun) await server.close()
  rmSync(home, { recursive: true })
})

/** Runs a batch of commands of sftp. */
const sftp = (commands: readonly string[], { key = user.path, name = 'shop' } = {}) =>
  runProgram(
    openSsh.sftp,
    [...clientArguments({ key, knownHosts }), '-P', String(server.port), '-b', '-', `${name}@127.0.0.1`],
    `${commands.join('\n')}\n`,
  )

/** Runs ssh with options, and a command if there is one. */
const ssh = (options: readonly string[], ...command: readonly string[]) =>
  runProgram(openSsh.ssh, [
    ...clientArguments({ key: user.path, knownHosts }),
    '-p',
    String(server.port),
    ...options,
    'shop@127.0.0.1',
    ...command,
  ])

describe.runIf(canRun)("OpenSSH's client", () => {
  test('lists and fetches files', async () => {
    const result = await sftp(['ls -l', 'cd 2026', 'pwd', `get may.csv ${local}/`, `get ../report.csv ${local}/`])
    expect(result).toMatchObject({ code: 0 })
    expect(result.output).toContain('Remote working directory: /2026')
    expect(result.output).toMatch(/^-rw-r--r-- .* 550000 .* report\.csv$/m)
    expect(result.output).toMatch(/^drwxr-xr-x .* 2026$/m)
    expect(readFileSync(join(local, 'report.csv'))).toEqual(report)
    expect(readFileSync(join(local, 'may.csv'), 'utf8')).toBe('may')
  })

  test('resumes an interrupted download', async () => {
    writeFileSync(join(local, 'resumed.csv'), report.subarray(0, 100_000))
    expect(await sftp([`reget report.csv ${local}/resumed.csv`])).toMatchObject({ code: 0 })
    expect(readFileSync(join(local, 'resumed.csv'))).toEqual(report)
  })

  test('sees neither links nor files whose upload has not ended', async () => {
    const { output } = await sftp(['ls -la'])
    expect(output).not.toMatch(/link|part/)
    for (const path of ['link.csv', 'link/secret.csv', '.june.csv.7.part']) {
      const result = await sftp([`get ${path} ${local}/leaked`])
      expect(result).toMatchObject({ code: 1, output: expect.stringMatching(/not found|No such file/) })
    }
  })

  test('does not leave its root', async () => {
    const result = await sftp(['cd ..', 'pwd', 'cd ../../../..', 'pwd', 'cd /', 'ls'])
    expect(result).toMatchObject({ code: 0 })
    expect(result.output.match(/Remote working directory: .*/g)).toEqual(Array(2).fill('Remote working directory: /'))
    expect(result.output).not.toContain('other')
    for (const path of ['../other/secret.csv', '/../../other/secret.csv', '/etc/passwd', `${home}/outside/secret.csv`])
      expect(await sftp([`get ${path} ${local}/leaked`])).toMatchObject({ code: 1 })
  })

  test.each([
    'put {local}/report.csv new.csv',
    'put {local}/report.csv report.csv',
    'rm report.csv',
    'rename report.csv new.csv',
    'mkdir new',
    'rmdir 2026',
    'ln -s report.csv new.csv',
    'ln report.csv new.csv',
    'chmod 600 report.csv',
  ])('may not: %s', async (command) => {
    writeFileSync(join(local, 'report.csv'), 'changed')
    const result = await sftp([command.replace('{local}', local)])
    expect(result).toMatchObject({ code: 1, output: expect.stringMatching(/denied|unsupported|does not support/i) })
    expect(readFileSync(join(tree, 'shop/report.csv'))).toEqual(report)
  })

  test('gets no shell, no command and no terminal', async () => {
    expect(await ssh([], 'cat', 'report.csv')).toMatchObject({ code: 255, output: expect.stringContaining('failed') })
    expect(await ssh(['-T'])).toMatchObject({ code: 255, output: expect.stringContaining('failed') })
    expect(await ssh(['-tt'])).toMatchObject({ code: 255, output: expect.stringContaining('failed') })
    expect(await ssh(['-s'], 'netconf')).toMatchObject({ code: 255, output: expect.stringContaining('failed') })
  })

  test('forwards no port from the server', async () => {
    const result = await ssh(['-N', '-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:22'])
    expect(result).toMatchObject({ code: 255, output: expect.stringContaining('remote port forwarding failed') })
  })

  test('forwards no connection through the server', async () => {
    let connections = 0
    const target = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const address = target.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const result = await ssh(['-W', `127.0.0.1:${port}`])
    expect(result).toMatchObject({ code: 255, output: expect.stringMatching(/administratively prohibited/) })
    expect(connections).toBe(0)
    target.close()
  })

  test('is refused with another key, another user, a password and without a method', async () => {
    expect(await sftp(['ls'], { key: other.path })).toMatchObject({ code: 255, output: denied })
    expect(await sftp(['ls'], { name: 'nobody' })).toMatchObject({ code: 255, output: denied })
    const methods = ['-o', 'PreferredAuthentications=password,keyboard-interactive', '-o', 'NumberOfPasswordPrompts=1']
    expect(await ssh(methods)).toMatchObject({ code: 255, output: denied })
    const authenticated = events.flatMap((event) => (event.kind === 'authenticated' ? [event.user] : []))
    expect(new Set(authenticated)).toEqual(new Set(['shop']))
  })

  test('changes a folder that clients may change, and nothing outside of it', async () => {
    const folder = join(home, 'drop')
    mkdirSync(folder)
    const drop = await startSftpServer({
      hostKeys: [readFileSync(join(home, 'host'), 'utf8')],
      users: () => ({ publicKeys: [user.publicKey], root: '/' }),
      tree: await directoryTree(folder, { access: 'read-write' }),
      listen: { port: 0, host: '127.0.0.1' },
    })
    const hosts = readFileSync(knownHosts, 'utf8').replace(`:${server.port} `, `:${drop.port} `)
    writeFileSync(join(home, 'drop-hosts'), hosts)
    writeFileSync(join(local, 'put.csv'), report)
    const commands = [`put ${local}/put.csv .put.csv.1.part`, 'rename .put.csv.1.part put.csv', 'mkdir new', 'ls -a']
    const client = clientArguments({ key: user.path, knownHosts: join(home, 'drop-hosts') })
    const run = (batch: readonly string[]) =>
      runProgram(openSsh.sftp, [...client, '-P', String(drop.port), '-b', '-', 'a@127.0.0.1'], batch.join('\n'))
    expect(await run(commands)).toMatchObject({ code: 0, output: expect.stringContaining('put.csv') })
    expect(readFileSync(join(folder, 'put.csv'))).toEqual(report)
    expect(await run([`put ${local}/put.csv ../../outside/put.csv`])).toMatchObject({ code: 1 })
    expect(await run(['ln -s /etc link'])).toMatchObject({ code: 1 })
    expect(readdirSync(folder).toSorted()).toEqual(['new', 'put.csv'])
    expect(readdirSync(join(home, 'outside'))).toEqual(['secret.csv'])
    await drop.close()
  })

  test('holds no connection after its end', async () => {
    await expect.poll(() => server.connections()).toBe(0)
    const socket = connect(server.port, '127.0.0.1')
    await expect.poll(() => server.connections()).toBe(1)
    socket.destroy()
    await expect.poll(() => server.connections()).toBe(0)
  })
})

/** The server offers public keys only. */
const denied = expect.stringContaining('Permission denied (publickey)')
