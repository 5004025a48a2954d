import type { MovableClock } from '../runtime/clock/movable-clock.ts'
import { limits } from '../limits.ts'
import type { Log } from '@tollgate/operations'
import type { Tls } from './tls.ts'

/** Watches the files of a certificate. */
export interface TlsWatch {
  /** Reads the files now. */
  look(): Promise<void>
  stop(): void
}

/** Reads the files of a certificate every few seconds: their content shows any change, by renames and links, too. */
export function watchTls(tls: Tls, { log, clock }: { readonly log: Log; readonly clock: MovableClock }): TlsWatch {
  // A certificate expires by the machine's time, independent of the test clock.
  const look = () => tls.look(log, clock.machineNow())
  void look()
  const timer = setInterval(() => void look(), limits.tlsLookMs)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}
