import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls'
import type { TlsFiles } from '../config.ts'
import type { HostAddress } from '../setting-kinds.ts'
import { readCertificate, readPem } from '../tls/certificate.ts'
import { tlsPolicy } from '../tls/policy.ts'

/** The address of a link to an acquirer's host. Without `tls` the connection is not encrypted. */
export interface LinkAddress extends HostAddress {
  readonly tls?: LinkTls | undefined
}

/** Mutual TLS of a link. The files, in PEM, are read for each connection, so that the next one uses renewed files. */
export interface LinkTls extends TlsFiles {
  /** File with the authorities of the host's certificate. No other authority is trusted. */
  readonly ca: string
  /** SHA-256 of the host's public key (SubjectPublicKeyInfo, DER) in base64. No other key is accepted then. */
  readonly pinnedKey?: string | undefined
  /** The name in the host's certificate, by default `host`. */
  readonly serverName?: string | undefined
}

/**
 * Opens a connection of a link: TCP, or mutual TLS by the policy of the listeners.
 *
 * @throws ConfigError if a file cannot be used; Error of the system or of OpenSSL; Error for another key than the
 *   pinned one, or if the signal aborts
 */
export async function dialLink(address: LinkAddress, signal: AbortSignal): Promise<Socket> {
  const { host, port, tls } = address
  if (!tls) return opened(connectTcp({ host, port, noDelay: true }), 'connect', signal)
  const socket = await opened(await connectWithCertificate(address, tls), 'secureConnect', signal)
  if (tls.pinnedKey === undefined || hasKey(socket, tls.pinnedKey)) return socket
  socket.destroy()
  throw new Error('the key of the server is not the pinned key')
}

const clientFiles = { cert: 'certificate of the link', key: 'key of the link' }

async function connectWithCertificate({ host, port }: HostAddress, tls: LinkTls): Promise<TLSSocket> {
  const ca = await readPem('authorities of the link', tls.ca)
  const { cert, key } = await readCertificate(tls, clientFiles)
  const name = tls.serverName ?? host
  try {
    // The options of the context are read before `connectTls` returns, so that the key can be erased.
    return connectTls({
      ...tlsPolicy,
      host,
      port,
      ca,
      cert,
      key,
      // SNI does not permit an address (RFC 6066); the certificate must still match it.
      ...(isIP(name) === 0 && { servername: name }),
      checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
      // The option is explicit, so that no environment variable overrides it.
      rejectUnauthorized: true,
    }).setNoDelay()
  } finally {
    key.fill(0)
  }
}

/** Waits until a connection is open. A connection that is not is destroyed. */
async function opened<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  try {
    await once(socket, event, { signal })
    return socket
  } catch (error) {
    // A handshake that is cut off causes another error.
    socket.on('error', () => undefined)
    socket.destroy()
    throw signal.aborted ? new Error('the connection did not open in time') : error
  }
}

function hasKey(socket: TLSSocket, pinnedKey: string): boolean {
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
  const expected = Buffer.from(pinnedKey, 'base64')
  const digest = key && createHash('sha256').update(key).digest()
  return digest !== undefined && digest.length === expected.length && timingSafeEqual(digest, expected)
}
