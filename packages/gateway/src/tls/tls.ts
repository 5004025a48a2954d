import type { Server } from 'node:tls'
import { ConfigError, type TlsFiles } from '../config.ts'
import { limits } from '../limits.ts'
import type { Log } from '@tollgate/operations'
import { type Certificate, readCertificate } from './certificate.ts'
import { tlsPolicy } from './policy.ts'

/** The certificate that the listeners show, as its files have it now. */
export interface Tls {
  /** Has a server show it, from now on and after each renewal. */
  attach(server: Pick<Server, 'setSecureContext'>): void
  /** The last moment of the one in use, epoch milliseconds. */
  expiresAtMs(): number
  /**
   * Reads the files. A new pair serves later connections; existing ones stay. If the pair is not whole, the previous
   * one stays in use, and a line is logged.
   *
   * @param nowMs the machine's time, by which certificates expire
   */
  look(log: Log, nowMs: number): Promise<void>
}

/**
 * @throws ConfigError in one line that names the setting and the file
 */
export async function openTls(files: TlsFiles): Promise<Tls> {
  const servers: Pick<Server, 'setSecureContext'>[] = []
  let current = await readCertificate(files)
  let complaint = ''
  let warnedAtMs = Number.NEGATIVE_INFINITY

  async function renew(log: Log): Promise<void> {
    const found = await readCertificate(files)
    if (found.digest === current.digest) {
      found.key.fill(0)
    } else {
      const before = current
      current = found
      for (const server of servers) show(server, found)
      before.key.fill(0)
      warnedAtMs = Number.NEGATIVE_INFINITY
      log.info({ tls: 'renewed', expiresAt: new Date(found.expiresAtMs).toISOString() })
    }
    complaint = ''
  }

  return {
    attach(server) {
      servers.push(server)
      show(server, current)
    },
    expiresAtMs: () => current.expiresAtMs,
    async look(log, nowMs) {
      try {
        await renew(log)
      } catch (error) {
        const message = error instanceof ConfigError ? error.message : 'the files cannot be read'
        // Logged once per fault: the files are read every few seconds.
        if (message !== complaint) log.error({ tls: 'not renewed', error: message })
        complaint = message
      }
      const isLate = current.expiresAtMs - nowMs < limits.tlsWarningMs
      if (!isLate || nowMs - warnedAtMs < limits.tlsWarningEveryMs) return
      warnedAtMs = nowMs
      log.warn({ tls: 'expires', expiresAt: new Date(current.expiresAtMs).toISOString() })
    },
  }
}

function show(server: Pick<Server, 'setSecureContext'>, { cert, key }: Certificate): void {
  server.setSecureContext({ ...tlsPolicy, cert, key })
}
