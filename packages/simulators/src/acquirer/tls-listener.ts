import type { Server, Socket } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { limits } from '../limits.ts'

/** TLS of the host's listener; all texts are PEM. */
export interface ListenerTls {
  readonly cert: string | Uint8Array
  readonly key: string | Uint8Array
  /** The authorities of the clients' certificates. Without it clients need no certificate. */
  readonly clientCa?: string | Uint8Array | undefined
}

/**
 * Creates the listener of a host that is reached by TLS 1.2 or 1.3. A client without an accepted certificate is
 * disconnected, and the reason is printed.
 *
 * @throws Error of OpenSSL if a certificate or the key is damaged
 */
export const tlsListener =
  ({ cert, key, clientCa }: ListenerTls) =>
  (serve: (socket: Socket) => void): Server => {
    const options: TlsOptions = {
      cert: copyOf(cert),
      key: copyOf(key),
      minVersion: 'TLSv1.2',
      handshakeTimeout: limits.acquirerHandshakeMs,
      ...(clientCa !== undefined && { ca: copyOf(clientCa), requestCert: true, rejectUnauthorized: true }),
    }
    return createServer(options, serve).on('tlsClientError', (error, { authorizationError }) => {
      const reason = authorizationError ?? ('code' in error ? error.code : error.message)
      process.stderr.write(`acquirer: a client was disconnected in the TLS handshake: ${String(reason)}\n`)
    })
  }

/** Node takes texts and its own buffers. */
const copyOf = (pem: string | Uint8Array): string | Buffer => (typeof pem === 'string' ? pem : Buffer.from(pem))
