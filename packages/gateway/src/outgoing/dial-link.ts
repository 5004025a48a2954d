import { once } from 'node:events'
import { connect as connectTcp, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls'
import type { HostAddress } from '../setting-kinds.ts'
import { tlsPolicy } from '../tls/policy.ts'
import { hasKey } from './pinned-key.ts'

/** The address of a link to an acquirer's host. Without `tls` the connection is not encrypted. */
export interface LinkAddress extends HostAddress {
  readonly tls?: LinkTls | undefined
  /** The look-up of the host, which checks its addresses; by default that of the machine. */
  readonly lookup?: LookupFunction | undefined
}

/** TLS of a link, in PEM. It is mutual with a certificate of the client. */
export interface LinkTls {
  /** The authorities of the host's certificate. No other authority is trusted; by default those of the machine. */
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** SHA-256 of the host's public key (SubjectPublicKeyInfo, DER) in base64. No other key is accepted then. */
  readonly pinnedKey?: string | undefined
  /** The name in the host's certificate, by default `host`. */
  readonly serverName?: string | undefined
}

/** Opens a connection of a link; rejects with a reason for people. */
export type DialLink = (address: LinkAddress, signal: AbortSignal) => Promise<Duplex>

/**
 * Opens a connection of a link: TCP, or TLS by the policy of the listeners.
 *
 * @throws Error of the system or of OpenSSL; Error for another key than the pinned one, or if the signal aborts
 */
export async function dialLink(address: LinkAddress, signal: AbortSignal): Promise<Socket> {
  const { host, port, lookup, tls } = address
  const target = { host, port, noDelay: true, ...(lookup && { lookup, autoSelectFamily: true }) }
  if (!tls) return opened(connectTcp(target), 'connect', signal)
  const socket = await opened(connectWithCertificate(target, tls), 'secureConnect', signal)
  if (tls.pinnedKey === undefined || hasKey(socket, tls.pinnedKey)) return socket
  socket.destroy()
  throw new Error('the key of the server is not the pinned key')
}

function connectWithCertificate(target: TcpNetConnectOpts & { readonly host: string }, tls: LinkTls): TLSSocket {
  const { ca, cert, key, serverName: name = target.host } = tls
  return connectTls({
    ...tlsPolicy,
    ...target,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    // SNI does not permit an address (RFC 6066); the certificate must still match it.
    ...(isIP(name) === 0 && { servername: name }),
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
    // The option is explicit, so that no environment variable overrides it.
    rejectUnauthorized: true,
  }).setNoDelay()
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
