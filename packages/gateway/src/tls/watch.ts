import type { MovableClock } from '../runtime/clock/movable-clock.ts'
import { limits } from '../limits.ts'
import type { Log } from '@tollgate/operations'
import type { Tls } from './tls.ts'

/** What looks after a certificate. */
export interface TlsWatch {
  /** Looks at its files now. */
  look(): Promise<void>
  stop(): void
}

/**
 * Looks at the files of a certificate every few seconds: a look by content sees what any tool does to them, renames and
 * changed links too.
 */
export function watchTls(tls: Tls, { log, clock }: { readonly log: Log; readonly clock: MovableClock }): TlsWatch {
  // A certificate ends by the time of the world, wherever the test clock stands.
  const look = () => tls.look(log, clock.machineNow())
  void look()
  const timer = setInterval(() => void look(), limits.tlsLookMs)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}
