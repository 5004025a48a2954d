import type { MovableClock } from '../runtime/clock/movable-clock.ts'
import { limits } from '../limits.ts'
import type { Log } from '@tollgate/operations'
import type { Tls } from './tls.ts'

/** Watches the files of a certificate. */
export interface TlsWatch {
  /** Reads the files now. */
  reload(): Promise<void>
  stop(): void
}

/** Reads the files of a certificate every few seconds, because a change behind a link may cause no file event. */
export function watchTls(tls: Tls, { log, clock }: { readonly log: Log; readonly clock: MovableClock }): TlsWatch {
  // A certificate expires by the machine's time, independent of the test clock.
  const reload = () => tls.reload(log, clock.machineNow())
  void reload()
  const timer = setInterval(() => void reload(), limits.tlsCheckMs)
  timer.unref()
  return { reload, stop: () => clearInterval(timer) }
}
