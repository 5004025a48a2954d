import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { parseHostKey } from '../host-key.ts'
import { type ServerLimits, serverLimits } from '../limits.ts'
import { systemTimers, type Timers } from '../timers.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { type EndReason, type Login, serveConnection } from './connection.ts'
import { createCounts, createFailures } from './address-counts.ts'
import type { FindUser } from './users.ts'

/** An event for logs and metrics. It contains no content and no path of a file; the user is a name as it was sent. */
export type SftpServerEvent =
  | { readonly kind: 'rejected'; readonly address: string }
  | { readonly kind: 'refused'; readonly address: string; readonly user: string }
  | { readonly kind: 'authenticated'; readonly address: string; readonly user: string; readonly fingerprint: string }
  | { readonly kind: 'ended'; readonly address: string; readonly reason: EndReason }

export interface SftpServerOptions {
  /** Private keys of the server, PEM or in OpenSSH's format, of the types Ed25519 and ECDSA. */
  readonly hostKeys: readonly string[]
  readonly users: FindUser
  readonly tree: FileTree
  readonly listen: { readonly port: number; readonly host?: string }
  readonly limits?: Partial<ServerLimits>
  readonly timers?: Timers
  readonly onEvent?: (event: SftpServerEvent) => void
  /** Faults for tests: the bytes of a client after which its connection is destroyed. */
  readonly faults?: { readonly closeAfterBytes: () => number | undefined }
}

export interface SftpServer {
  readonly port: number
  readonly connections: () => number
  /** Ends the connections of authenticated users for which a condition holds, such as a key that was revoked. */
  readonly endConnections: (isEnded: (login: Login) => boolean) => void
  /** Stops listening and ends all connections. */
  readonly close: () => Promise<void>
}

/**
 * Starts an SFTP server. Users authenticate by public key only and see only the files below their root; shells,
 * commands, terminals and forwarding are refused. Clients may change files only if the tree has `writes`.
 *
 * @throws Error if a host key is invalid, or if the port cannot be opened
 */
export async function startSftpServer(options: SftpServerOptions): Promise<SftpServer> {
  const limits: ServerLimits = { ...serverLimits, ...options.limits }
  const { timers = systemTimers, onEvent = () => undefined } = options
  const hostKeys = options.hostKeys.map(parseHostKey)
  /** How each connection is ended, with its login once the user has authenticated. */
  const open = new Map<() => void, Login | undefined>()
  const perAddress = createCounts()
  const failures = createFailures(limits, timers)

  const isFull = (address: string): boolean =>
    open.size >= limits.connectionsMax || perAddress.of(address) >= limits.connectionsPerAddressMax

  function admit(end: () => void, login: Login): boolean {
    const connections = [...open.values()].filter((each) => each?.user === login.user).length
    if (connections >= limits.connectionsPerUserMax) return false
    open.set(end, login)
    return true
  }

  function serve(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    if (isFull(address) || failures.areTooMany(address)) {
      socket.destroy()
      return onEvent({ kind: 'rejected', address })
    }
    perAddress.add(address, 1)
    const end = serveConnection(socket, {
      hostKeys,
      users: options.users,
      tree: options.tree,
      limits,
      timers,
      onAuthenticated(login) {
        const isAdmitted = admit(end, login)
        if (isAdmitted) onEvent({ kind: 'authenticated', address, ...login })
        return isAdmitted
      },
      onRefused: (user) => onEvent({ kind: 'refused', address, user }),
      onEnd(reason) {
        if (open.get(end) === undefined) failures.add(address)
        open.delete(end)
        perAddress.add(address, -1)
        onEvent({ kind: 'ended', address, reason })
      },
    })
    open.set(end, undefined)
    closeAfter(socket, options.faults?.closeAfterBytes())
  }

  const server = createServer(serve)
  server.listen(options.listen.port, options.listen.host)
  await once(server, 'listening')
  server.on('error', () => undefined)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.listen.port,
    connections: () => open.size,
    endConnections(isEnded) {
      for (const [end, login] of open) if (login && isEnded(login)) end()
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const end of open.keys()) end()
      await closed
    },
  }
}

function closeAfter(socket: Socket, bytesMax: number | undefined): void {
  if (bytesMax === undefined) return
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) socket.destroy()
  })
}
