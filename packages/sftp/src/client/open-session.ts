import type { Duplex } from 'node:stream'
import ssh2, { type ClientChannel, type ConnectConfig } from 'ssh2'
import { keyExchanges, transport } from '../algorithms.ts'
import type { ClientLimits } from '../limits.ts'
import type { Timers } from '../timers.ts'
import { authenticationMethod } from './credentials.ts'
import { createHostKeyCheck } from './host-key-check.ts'
import { type Requests, startRequests } from './requests.ts'
import { SftpFailure } from './sftp-error.ts'
import type { SftpOptions } from './sftp-options.ts'

type SessionOptions = SftpOptions & { readonly limits: ClientLimits; readonly timers: Timers }

/** An open session of the subsystem `sftp`. */
export interface SftpSession {
  readonly requests: Requests
  /** Ends the connection. */
  readonly close: () => Promise<void>
}

/** Opens a connection and a session on it. @throws SftpFailure */
export async function openSession(options: SessionOptions): Promise<SftpSession> {
  const { limits, timers, signal } = options
  const client = new ssh2.Client()
  const ended = new AbortController()
  const config = configOf(options, end)
  let stream: Duplex | undefined
  let requests: Requests | undefined

  const startTimeout = new SftpFailure('timeout', `There was no session within ${limits.handshakeMs / 1000} s.`)
  const endTimer = timers.startTimer(limits.handshakeMs, () => end(startTimeout))
  const onAbort = (): void => end(new SftpFailure('cancelled', 'The operation was cancelled.'))

  /** Ends the connection. The first failure is the one that is reported. */
  function end(failure: SftpFailure): void {
    if (ended.signal.aborted) return
    ended.abort(failure)
    endTimer()
    signal?.removeEventListener('abort', onAbort)
    requests?.fail(failure)
    stream?.destroy()
  }

  async function start(): Promise<Requests> {
    stream = await dial(options, ended.signal)
    const channel = await openChannel(client, { ...config, sock: stream }, end)
    requests = await startRequests(channel, limits, timers, end)
    return requests
  }

  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()
  const started = await orFailure(start(), ended.signal).catch((error: unknown) => {
    // The failure of the dial, of which the connection does not know yet.
    if (error instanceof SftpFailure) end(error)
    throw error
  })
  endTimer()
  return { requests: started, close: () => close(client, stream, timers, end) }
}

/** Waits for a result, or for the end of the connection. @throws SftpFailure */
function orFailure<T>(result: Promise<T>, ended: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onEnd = (): void => reject(ended.reason)
    if (ended.aborted) onEnd()
    ended.addEventListener('abort', onEnd)
    result.then(resolve, reject)
  })
}

async function dial({ open, host, port }: SessionOptions, ended: AbortSignal): Promise<Duplex> {
  ended.throwIfAborted()
  const stream = await open(ended).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'it was refused'
    throw new SftpFailure('connection', `There is no connection to ${host}:${port}: ${reason}`)
  })
  // The listener stays: an error of a stream without one ends the process.
  stream.on('error', () => undefined)
  if (ended.aborted) stream.destroy()
  return stream
}

/** The settings of ssh2: one method of authentication, the listed algorithms, and a check of the host key. */
function configOf(options: SessionOptions, end: (failure: SftpFailure) => void): ConnectConfig {
  const { username, credentials, hostKeys, limits } = options
  if (username === '') throw new SftpFailure('invalid', 'The user name is empty.')
  const hostKeyCheck = createHostKeyCheck(hostKeys)
  return {
    username,
    ident: 'tollgate',
    authHandler: [authenticationMethod(username, credentials)],
    hostVerifier(key: Buffer) {
      const failure = hostKeyCheck.check(key)
      if (failure) end(failure)
      return failure === undefined
    },
    algorithms: {
      kex: [...keyExchanges.client],
      serverHostKey: [...hostKeyCheck.algorithms],
      cipher: [...transport.cipher],
      hmac: [...transport.hmac],
      compress: [...transport.compress],
    },
    // The time limit of the session replaces that of ssh2.
    readyTimeout: 0,
    keepaliveInterval: limits.answerMs,
  }
}

/** Authenticates, and opens the subsystem. */
function openChannel(
  client: ssh2.Client,
  config: ConnectConfig,
  end: (failure: SftpFailure) => void,
): Promise<ClientChannel> {
  return new Promise((resolve) => {
    client.on('error', (error) => end(failureOf(error)))
    client.on('close', () => end(new SftpFailure('closed', 'The server closed the connection.')))
    client.once('ready', () => {
      client.subsys('sftp', (error, channel) => {
        if (error) return end(new SftpFailure('protocol', 'The server offers no SFTP to this user.'))
        channel.stderr.resume()
        resolve(channel)
      })
    })
    client.connect(config)
  })
}

/** The failure of an error of ssh2. Texts of the server, which may repeat what was sent, are left out. */
function failureOf(error: Error): SftpFailure {
  const level = 'level' in error && typeof error.level === 'string' ? error.level : ''
  switch (level) {
    case 'client-authentication':
      return new SftpFailure('authentication', 'The server did not accept the credentials.')
    case 'client-socket':
      return new SftpFailure('closed', 'The connection to the server was lost.')
    case 'client-timeout':
      return new SftpFailure('timeout', 'The server does not answer any more.')
    case 'handshake':
      return new SftpFailure('protocol', `The key exchange with the server failed: ${error.message}`)
    default:
      return new SftpFailure('protocol', 'The server violates the protocol, or has ended the connection.')
  }
}

/** Ends a connection in an orderly way, for which the server has a second. */
async function close(
  client: ssh2.Client,
  stream: Duplex | undefined,
  timers: Timers,
  end: (failure: SftpFailure) => void,
): Promise<void> {
  if (stream !== undefined && !stream.destroyed)
    await new Promise<void>((resolve) => {
      const endTimer = timers.startTimer(1_000, resolve)
      stream.once('close', () => {
        endTimer()
        resolve()
      })
      client.end()
    })
  end(new SftpFailure('closed', 'The connection was closed.'))
}
