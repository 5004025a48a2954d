import type { Duplex } from 'node:stream'
import type { ClientLimits } from '../limits.ts'
import type { Timers } from '../timers.ts'
import type { Credentials } from './credentials.ts'

export interface SftpOptions {
  readonly host: string
  readonly port: number
  readonly username: string
  /** The accepted host keys: fingerprints `SHA256:…` or public keys as lines of OpenSSH. No other key is trusted. */
  readonly hostKeys: readonly string[]
  readonly credentials: Credentials
  /** Opens the connection to host and port; the caller checks the address. Rejects with a reason for people. */
  readonly open: (signal: AbortSignal) => Promise<Duplex>
  readonly limits?: Partial<ClientLimits>
  readonly timers?: Timers
  /** Cancels the connection and all its operations. */
  readonly signal?: AbortSignal
}
