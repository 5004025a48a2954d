import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Server } from 'node:tls'
import { ConfigError, type TlsFiles } from '../config.ts'
import { limits } from '../limits.ts'
import type { Log } from '@tollgate/operations'
import { type Certificate, readCertificate } from './certificate.ts'
import { tlsPolicy } from './policy.ts'

/** The certificate of the listeners, which is replaced when its files change. */
export interface Tls {
  /** Sets the certificate of a server, now and after each renewal. */
  attach(server: Pick<Server, 'setSecureContext'>): void
  /** Whether the certificate in use is for a host: a name, or an address without brackets. */
  covers(host: string): boolean
  /** Expiry of the certificate in use, epoch milliseconds. */
  expiresAtMs(): number
  /**
   * Reads the files. A new pair is used for later connections; existing connections stay open. If certificate and key
   * are incomplete or do not match, the previous pair stays in use, and the error is logged once. A certificate near
   * its expiry is logged every `limits.tlsWarningEveryMs`.
   *
   * @param nowMs the machine's time, by which certificates expire
   */
  reload(log: Log, nowMs: number): Promise<void>
}

/**
 * @throws ConfigError in one line that names the setting and the file
 */
export async function openTls(files: TlsFiles): Promise<Tls> {
  const servers: Pick<Server, 'setSecureContext'>[] = []
  let current = await readCertificate(files)
  let lastError = ''
  let warnedAtMs = Number.NEGATIVE_INFINITY

  async function renew(log: Log): Promise<void> {
    const next = await readCertificate(files)
    if (next.digest === current.digest) {
      next.key.fill(0)
    } else {
      const previous = current
      current = next
      for (const server of servers) setCertificate(server, next)
      previous.key.fill(0)
      warnedAtMs = Number.NEGATIVE_INFINITY
      log.info({ tls: 'renewed', expiresAt: new Date(next.expiresAtMs).toISOString() })
    }
    lastError = ''
  }

  return {
    attach(server) {
      servers.push(server)
      setCertificate(server, current)
    },
    covers(host) {
      const certificate = new X509Certificate(current.cert)
      return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined
    },
    expiresAtMs: () => current.expiresAtMs,
    async reload(log, nowMs) {
      try {
        await renew(log)
      } catch (error) {
        const message = error instanceof ConfigError ? error.message : 'the files cannot be read'
        // A fault is logged once, because the files are read every few seconds.
        if (message !== lastError) log.error({ tls: 'not renewed', error: message })
        lastError = message
      }
      const isNearExpiry = current.expiresAtMs - nowMs < limits.tlsWarningMs
      if (!isNearExpiry || nowMs - warnedAtMs < limits.tlsWarningEveryMs) return
      warnedAtMs = nowMs
      log.warn({ tls: 'expires', expiresAt: new Date(current.expiresAtMs).toISOString() })
    },
  }
}

function setCertificate(server: Pick<Server, 'setSecureContext'>, { cert, key }: Certificate): void {
  server.setSecureContext({ ...tlsPolicy, cert, key })
}
