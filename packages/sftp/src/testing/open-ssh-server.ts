import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createKeyPair, type KeyPair, openSsh } from './open-ssh.ts'

/** OpenSSH's server on a free port, with one user, who logs in by key. */
export interface OpenSshServer {
  readonly port: number
  readonly username: string
  readonly hostKey: KeyPair
  readonly userKey: KeyPair
  /** The absolute folder that clients see as their current one. */
  readonly folder: string
  /** What the server has logged so far, at its level DEBUG1. */
  readonly log: () => string
  readonly close: () => Promise<void>
}

/** Starts OpenSSH's server as the user of this process, in a temporary folder. */
export async function startOpenSshServer(): Promise<OpenSshServer> {
  const home = mkdtempSync(join(tmpdir(), 'sshd-'))
  const [folder, log, config] = [join(home, 'files'), join(home, 'log'), join(home, 'config')]
  const [hostKey, userKey] = [createKeyPair(home, 'host'), createKeyPair(home, 'user')]
  const port = await freePort()
  mkdirSync(folder)
  writeFileSync(join(home, 'authorized-keys'), `${userKey.publicKey}\n`)
  chmodSync(join(home, 'authorized-keys'), 0o600)
  writeFileSync(config, configOf(home, hostKey, folder, port))
  // Started by root, the server needs this folder.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const child = spawn(openSsh.sshd, ['-D', '-f', config, '-E', log], { stdio: 'ignore' })
  await untilListening(log, child)
  return {
    port,
    username: userInfo().username,
    hostKey,
    userKey,
    folder,
    log: () => readFileSync(log, 'utf8'),
    async close() {
      const exited = once(child, 'exit')
      if (child.exitCode === null && child.kill()) await exited
      rmSync(home, { recursive: true })
    },
  }
}

const configOf = (home: string, hostKey: KeyPair, folder: string, port: number): string => `
ListenAddress 127.0.0.1
Port ${port}
HostKey ${hostKey.path}
AuthorizedKeysFile ${join(home, 'authorized-keys')}
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
LogLevel DEBUG1
Subsystem sftp ${openSsh.sftpServer} -d ${folder}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return address.port
}

async function untilListening(log: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) break
    if (logOf(log).includes('Server listening')) return
    await delay(50)
  }
  child.kill()
  throw new Error(`sshd did not start: ${logOf(log)}`)
}

function logOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
