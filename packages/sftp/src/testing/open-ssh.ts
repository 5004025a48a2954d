import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** OpenSSH's programs, as Debian installs them. */
export const openSsh = {
  sftp: '/usr/bin/sftp',
  ssh: '/usr/bin/ssh',
  keygen: '/usr/bin/ssh-keygen',
  sshd: '/usr/sbin/sshd',
  sftpServer: '/usr/lib/openssh/sftp-server',
} as const

const packages = ['openssh-client', 'openssh-server', 'openssh-sftp-server']

/**
 * Whether OpenSSH's client and server are installed. Root installs them with apt-get if they are not.
 *
 * @throws Error if they are missing and CI is set, because CI may not omit tests
 */
export function hasOpenSsh(): boolean {
  const isComplete = (): boolean => Object.values(openSsh).every((path) => existsSync(path))
  if (!isComplete() && process.getuid?.() === 0) install()
  if (isComplete()) return true
  if (process.env['CI']) throw new Error(`OpenSSH was not found: apt-get install ${packages.join(' ')}`)
  return false
}

function install(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, stdio: 'ignore' })
  } catch {}
}

/** A pair of keys in files that OpenSSH's programs read. */
export interface KeyPair {
  /** The path of the private key; that of the public key ends in `.pub`. */
  readonly path: string
  readonly privateKey: string
  readonly publicKey: string
}

/** Creates a pair of keys with ssh-keygen. */
export function createKeyPair(folder: string, name: string, ...options: readonly string[]): KeyPair {
  const path = join(folder, name)
  const type = options.length === 0 ? ['-t', 'ed25519'] : options
  execFileSync(openSsh.keygen, [...type, '-q', '-N', '', '-C', name, '-f', path])
  return { path, privateKey: readFileSync(path, 'utf8'), publicKey: readFileSync(`${path}.pub`, 'utf8').trim() }
}

export interface ProgramResult {
  /** The exit code; undefined if a signal or the time limit ended the program. */
  readonly code: number | undefined
  /** All output, errors included. */
  readonly output: string
}

/** Runs a program for at most 100 seconds. @param input its standard input */
export function runProgram(path: string, args: readonly string[], input = ''): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = { timeout: 100_000, killSignal: 'SIGKILL', maxBuffer: 16_777_216 } as const
    const child = execFile(path, [...args], options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : undefined) : 0
      resolve({ code, output: `${stdout}${stderr}` })
    })
    // A program may end before it has read its input.
    child.stdin?.on('error', () => undefined).end(input)
  })
}

/** Options of ssh and sftp that use nothing of the machine's configuration. */
export const clientArguments = ({ key, knownHosts }: { key: string; knownHosts: string }): readonly string[] => {
  const options = [
    'IdentitiesOnly=yes',
    `UserKnownHostsFile=${knownHosts}`,
    'GlobalKnownHostsFile=/dev/null',
    'StrictHostKeyChecking=yes',
    'BatchMode=yes',
    'ConnectTimeout=10',
  ]
  return ['-F', '/dev/null', '-i', key, ...options.flatMap((option) => ['-o', option])]
}
