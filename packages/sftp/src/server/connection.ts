import type { Socket } from 'node:net'
import ssh2, { type AuthContext, type Connection, type ParsedKey, type ServerChannel, type Session } from 'ssh2'
import { keyExchanges, transport } from '../algorithms.ts'
import type { ServerLimits } from '../limits.ts'
import type { Timers } from '../timers.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { authenticate } from './authenticate.ts'
import { serveFiles } from './serve-files.ts'
import { createThrottle } from './throttle.ts'
import type { FindUser, SftpUser } from './users.ts'

/** The reason why a server ends a connection. */
export type EndReason =
  | 'closed'
  | 'protocol'
  | 'authenticationTimeout'
  | 'authenticationsMax'
  | 'idle'
  | 'unsentBytesMax'
  | 'keyExchangesMax'
  | 'connectionsPerUserMax'

/** The name of a user, and the fingerprint of the key with which they have authenticated. */
export interface Login {
  readonly user: string
  readonly fingerprint: string
}

export interface ConnectionOptions {
  readonly hostKeys: readonly ParsedKey[]
  readonly users: FindUser
  readonly tree: FileTree
  readonly limits: ServerLimits
  readonly timers: Timers
  /** @returns whether the user may have one more connection */
  readonly onAuthenticated: (login: Login) => boolean
  readonly onRefused: (name: string) => void
  readonly onEnd: (reason: EndReason) => void
}

/** Serves one connection, until it ends. @returns ends it */
export function serveConnection(socket: Socket, options: ConnectionOptions): () => void {
  const { limits, timers } = options
  const ended = new AbortController()
  let endTimer = timers.startTimer(limits.authenticationMs, () => end('authenticationTimeout'))

  function end(reason: EndReason): void {
    if (ended.signal.aborted) return
    ended.abort()
    endTimer()
    socket.destroy()
    options.onEnd(reason)
  }

  /** The connection has made progress. */
  function onProgress(): void {
    if (ended.signal.aborted) return
    endTimer()
    endTimer = timers.startTimer(limits.idleMs, () => end('idle'))
  }

  function onClient(client: Connection): void {
    let user: SftpUser | undefined
    client.on('error', () => end('protocol'))
    const decide = createDecision(options, end, (found) => {
      user = found
    })
    client.on('authentication', (request) => void decide(request).catch(() => end('protocol')))
    client.on('ready', onProgress)
    acceptSessions(client, limits.sessionsMax, (session) => {
      if (user) serveSession(session, user, { ...options, socket, signal: ended.signal, onProgress, end })
    })
    boundKeyExchanges(client, options, () => end('keyExchangesMax'))
  }

  socket.on('error', () => end('closed'))
  socket.on('close', () => end('closed'))
  // The protocol refuses requests that are not of SFTP by itself, and waits for no drain.
  socket.on('data', () => socket.writableLength > limits.unsentBytesMax && end('unsentBytesMax'))
  socket.setNoDelay(true)
  newServer(options.hostKeys, onClient).injectSocket(socket)
  return () => end('closed')
}

/** A server for one connection, so that its events belong to that connection. */
function newServer(hostKeys: readonly ParsedKey[], onClient: (client: Connection) => void): ssh2.Server {
  const algorithms = {
    kex: [...keyExchanges.server],
    cipher: [...transport.cipher],
    hmac: [...transport.hmac],
    compress: [...transport.compress],
  }
  return new ssh2.Server({ hostKeys: hostKeys.map((key) => ({ key })), algorithms, ident: 'tollgate' }, onClient)
}

/** Creates the decision on authentication requests: by public key only, and at most `authenticationsMax`. */
function createDecision(
  { users, limits, onAuthenticated, onRefused }: ConnectionOptions,
  end: (reason: EndReason) => void,
  onUser: (user: SftpUser) => void,
): (request: AuthContext) => Promise<void> {
  const findUser: FindUser = (name) => (Buffer.byteLength(name) <= limits.userNameBytesMax ? users(name) : undefined)
  let requests = 0
  return async (request) => {
    if (++requests > limits.authenticationsMax) return end('authenticationsMax')
    if (request.method !== 'publickey') return request.reject(['publickey'])
    const authenticated = await authenticate(request, findUser, limits.publicKeysMax)
    if (authenticated === undefined) {
      onRefused(request.username.slice(0, limits.userNameBytesMax))
      return request.reject(['publickey'])
    }
    if (request.signature !== undefined) {
      const login = { user: request.username, fingerprint: authenticated.fingerprint }
      if (!onAuthenticated(login)) return end('connectionsPerUserMax')
      onUser(authenticated.user)
    }
    request.accept()
  }
}

/** Accepts sessions, one at a time. All other requests of a client are refused because they have no listener. */
function acceptSessions(client: Connection, sessionsMax: number, onSession: (session: Session) => void): void {
  let sessions = 0
  let isOpen = false
  client.on('session', (accept, reject) => {
    if (isOpen || ++sessions > sessionsMax) return reject()
    isOpen = true
    const session = accept()
    session.on('close', () => {
      isOpen = false
    })
    onSession(session)
  })
}

interface SessionOptions extends ConnectionOptions {
  readonly socket: Socket
  readonly signal: AbortSignal
  readonly onProgress: () => void
  readonly end: (reason: EndReason) => void
}

/** Serves the subsystem `sftp` of a session, as a channel of bytes, whose back pressure bounds the memory. */
function serveSession(session: Session, { root }: SftpUser, options: SessionOptions): void {
  const { limits, timers, end } = options
  const closed = new AbortController()
  session.on('error', () => end('protocol'))
  session.on('close', () => closed.abort())
  session.on('subsystem', (accept: () => ServerChannel, reject: (() => void) | undefined, { name }) => {
    if (name !== 'sftp') return reject?.()
    const signal = AbortSignal.any([options.signal, closed.signal])
    const throttle = createThrottle(limits.bytesPerSecondMax, timers)
    serveFiles({ ...options, root, channel: accept(), throttle, signal }).catch(() => end('protocol'))
  })
}

/** Bounds the key exchanges, each of which costs the server a millisecond. */
function boundKeyExchanges(client: Connection, { limits, timers }: ConnectionOptions, onFlood: () => void): void {
  const startedAtMs = timers.nowMs()
  let exchanges = 0
  client.on('handshake', () => {
    const allowed = limits.keyExchangesMax + (timers.nowMs() - startedAtMs) / limits.keyExchangeMs
    if (++exchanges > allowed) onFlood()
  })
}
