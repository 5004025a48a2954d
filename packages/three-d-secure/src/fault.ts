import { type ErrorCode, errorDescriptions } from './codes/error-codes.ts'
import { limits } from './limits.ts'
import type { MessageType } from './messages/message-type.ts'
import type { MessageOf } from './messages/messages.ts'
import { protocolVersions } from './versions.ts'

/** Reason for refusing a message. It names fields, never their values. */
export interface Fault {
  readonly errorCode: ErrorCode
  /** The fields, separated by commas, or an error of the whole message. */
  readonly errorDetail: string
}

/**
 * @param names fields, or an error of the whole message; never a value
 */
export const fault = (errorCode: ErrorCode, ...names: readonly string[]): Fault => ({
  errorCode,
  errorDetail: [...new Set(names)].join(', ').slice(0, limits.errorDetailCharsMax),
})

/** Fields of an error message besides the fault. */
type MessageOrigin = Omit<MessageOf<'Erro'>, 'errorCode' | 'errorDetail' | 'errorDescription' | 'messageVersion'> & {
  /** Version of the transaction; the newest version if it is unknown. */
  readonly messageVersion?: MessageOf<'Erro'>['messageVersion'] | undefined
  readonly errorMessageType?: Exclude<MessageType, 'Erro'> | undefined
}

/**
 * The error message in answer to a message with a fault.
 *
 * @param origin the answering party (`errorComponent`), the message type, and the known ids of the transaction
 */
export const erroOf = ({ errorCode, errorDetail }: Fault, origin: MessageOrigin): MessageOf<'Erro'> => ({
  ...origin,
  messageVersion: origin.messageVersion ?? protocolVersions[1],
  errorCode,
  errorDescription: errorDescriptions[errorCode],
  errorDetail,
})
