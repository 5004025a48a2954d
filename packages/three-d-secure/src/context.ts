import type { DeviceChannel, MessageCategory } from './field.ts'
import type { ProtocolVersion } from './versions.ts'

/**
 * The transaction that a message belongs to, as far as it is known: what it must be for, and which ids it must bear.
 * An authentication request says all of it by itself.
 */
export interface Context {
  readonly messageVersion?: ProtocolVersion | undefined
  readonly deviceChannel?: DeviceChannel | undefined
  readonly messageCategory?: MessageCategory | undefined
  readonly threeDSServerTransID?: string | undefined
  readonly acsTransID?: string | undefined
  readonly dsTransID?: string | undefined
  readonly sdkTransID?: string | undefined
}

/** Fields by which a message is told to be of another transaction. */
export const transactionIds = ['threeDSServerTransID', 'acsTransID', 'dsTransID', 'sdkTransID'] as const
