import type { DeviceChannel, MessageCategory } from './field.ts'
import type { ProtocolVersion } from './versions.ts'

/**
 * The known facts about the transaction of a message. The version and the ids of the message must match them. The
 * channel and the category take precedence over those of the message, and determine its required fields. An
 * authentication request needs no context, because it contains its version, channel and category.
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

/** Fields that identify the transaction of a message. */
export const transactionIds = ['threeDSServerTransID', 'acsTransID', 'dsTransID', 'sdkTransID'] as const
