import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Bounds } from './bounds.ts'
import { createCheckedLookup } from './checked-lookup.ts'
import { NoAnswer } from './failure-reasons.ts'
import { hasKey } from './pinned-key.ts'
import type { Resolve } from './resolve.ts'
import type { Rules } from './target.ts'

/** Opens a connection to an origin, for undici. */
export type Dial = (origin: buildConnector.Options, callback: buildConnector.Callback) => Socket

interface Parts {
  readonly rules: Rules
  readonly resolve: Resolve
  /** Certificates of authorities, PEM, which replace those that Node trusts. */
  readonly authorities: string | undefined
  /** SHA-256 of the server's public key (SubjectPublicKeyInfo, DER) in base64; undefined: each key is accepted. */
  readonly pinnedKey?: string | undefined
  readonly bounds: Bounds
}

/**
 * Creates the dialler. A name is resolved once per connection, all its addresses are checked, and the socket connects
 * only to these addresses: there is no second look-up, which could have another result. The certificate must match the
 * name, and the key the pinned one. A literal address was checked with its URL and is not looked up.
 */
export function createDial({ rules, resolve, authorities, pinnedKey, bounds }: Parts): Dial {
  const lookup = createCheckedLookup(rules, resolve)

  return ({ protocol, hostname, port }, callback) => {
    const isTls = protocol === 'https:'
    const options = {
      host: hostname,
      port: Number(port || (isTls ? 443 : 80)),
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: bounds.addressTimeoutMs,
      noDelay: true,
    }
    const socket = isTls
      ? connectTls({
          ...options,
          // SNI does not permit an address (RFC 6066); the certificate must still match it.
          ...(isIP(hostname) === 0 && { servername: hostname }),
          ...(authorities !== undefined && { ca: authorities }),
          ALPNProtocols: ['http/1.1'],
          minVersion: 'TLSv1.2',
          // The option is explicit, so that no environment variable overrides it.
          rejectUnauthorized: true,
        })
      : connectTcp(options)
    const timer = setTimeout(
      () =>
        socket.destroy(new NoAnswer('failed', `there was no connection within ${bounds.connectTimeoutMs / 1000} s`)),
      bounds.connectTimeoutMs,
    )
    const onConnect = () => {
      clearTimeout(timer)
      if (pinnedKey !== undefined && !(socket instanceof TLSSocket && hasKey(socket, pinnedKey))) {
        socket.destroy(new NoAnswer('failed', 'the key of the server is not the pinned key'))
        return
      }
      socket.off('error', onError)
      callback(null, socket)
    }
    const onError = (error: Error) => callback(error, null)
    return socket
      .once(isTls ? 'secureConnect' : 'connect', onConnect)
      .once('error', onError)
      .on('error', () => undefined)
      .once('close', () => clearTimeout(timer))
  }
}
