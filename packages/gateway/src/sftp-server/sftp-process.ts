import { setPriority } from 'node:os'
import { directoryTree, type SftpServer, type SftpServerEvent, type SftpUser, startSftpServer } from '@tollgate/sftp'
import type { FromSftpProcess, SftpLogin, SftpStart, SftpUserKeys, ToSftpProcess } from './messages.ts'
import { fingerprintsOf } from './fingerprints-of.ts'

// The process of the SFTP server. It gets the host key, the public keys of the users and the path of a folder from the
// gateway's process, and reads nothing else. It ends with that process. It imports nothing of the gateway but types.

const users = new Map<string, SftpUser>()
const permitted = new Map<string, ReadonlySet<string>>()
const logins = new Map<string, SftpLogin>()
let [refused, rejected] = [0, 0]
let server: SftpServer | undefined
let loginsMax = 0

function send(message: FromSftpProcess): void {
  if (process.connected) process.send?.(message)
}

function onEvent(event: SftpServerEvent): void {
  if (event.kind === 'refused') refused += 1
  if (event.kind === 'rejected') rejected += 1
  if (event.kind !== 'authenticated' || logins.size >= loginsMax) return
  const { user, fingerprint } = event
  logins.set(`${user} ${fingerprint}`, { user, fingerprint })
}

function replaceUsers(list: readonly SftpUserKeys[]): void {
  users.clear()
  permitted.clear()
  for (const { name, publicKeys } of list) {
    users.set(name, { publicKeys, root: `/${name}` })
    permitted.set(name, fingerprintsOf(publicKeys))
  }
  server?.endConnections(({ user, fingerprint }) => permitted.get(user)?.has(fingerprint) !== true)
}

async function start({ hostKey, folder, host, port, ...rest }: SftpStart): Promise<void> {
  setPriority(rest.niceness)
  loginsMax = rest.loginsPerReport
  setInterval(report, rest.reportMs).unref()
  try {
    const tree = await directoryTree(folder)
    const options = { hostKeys: [hostKey], users: (name: string) => users.get(name), tree, onEvent }
    server = await startSftpServer({ ...options, listen: { host, port } })
    send({ kind: 'listening', port: server.port })
  } catch (error) {
    send({ kind: 'failed', code: error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN' })
    process.disconnect()
  }
}

function report(): void {
  send({ kind: 'report', connections: server?.connections() ?? 0, refused, rejected, logins: [...logins.values()] })
  logins.clear()
  refused = 0
  rejected = 0
}

process.on('disconnect', () => process.exit())
process.on('message', (message: ToSftpProcess) => {
  if (message.kind === 'users') replaceUsers(message.users)
  else void start(message)
})
