import type { Server } from 'node:tls'
import { ConfigError, type TlsFiles } from '../config.ts'
import { limits } from '../limits.ts'
import type { Log } from '@tollgate/operations'
import { type Certificate, readCertificate } from './certificate.ts'
import { tlsPolicy } from './policy.ts'

/** The certificate of the listeners, which follows its files. */
export interface Tls {
  /** Sets the certificate of a server, now and after each renewal. */
  attach(server: Pick<Server, 'setSecureContext'>): void
  /** Expiry of the certificate in use, epoch milliseconds. */
  expiresAtMs(): number
  /**
   * Reads the files. A new pair is used for later connections; existing ones stay. If certificate and key are
   * incomplete or do not match, the previous pair stays in use, and the error is logged.
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
    const read = await readCertificate(files)
    if (read.digest === current.digest) {
      read.key.fill(0)
    } else {
      const before = current
      current = read
      for (const server of servers) setCertificate(server, read)
      before.key.fill(0)
      warnedAtMs = Number.NEGATIVE_INFINITY
      log.info({ tls: 'renewed', expiresAt: new Date(read.expiresAtMs).toISOString() })
    }
    lastError = ''
  }

  return {
    attach(server) {
      servers.push(server)
      setCertificate(server, current)
    },
    expiresAtMs: () => current.expiresAtMs,
    async reload(log, nowMs) {
      try {
        await renew(log)
      } catch (error) {
        const message = error instanceof ConfigError ? error.message : 'the files cannot be read'
        // Logged once per fault: the files are read every few seconds.
        if (message !== lastError) log.error({ tls: 'not renewed', error: message })
        lastError = message
      }
      const isLate = current.expiresAtMs - nowMs < limits.tlsWarningMs
      if (!isLate || nowMs - warnedAtMs < limits.tlsWarningEveryMs) return
      warnedAtMs = nowMs
      log.warn({ tls: 'expires', expiresAt: new Date(current.expiresAtMs).toISOString() })
    },
  }
}

function setCertificate(server: Pick<Server, 'setSecureContext'>, { cert, key }: Certificate): void {
  server.setSecureContext({ ...tlsPolicy, cert, key })
}
