import { type ErrorCode, errorDescriptions } from './codes/error-codes.ts'
import { limits } from './limits.ts'
import type { MessageType } from './messages/message-type.ts'
import type { MessageOf } from './messages/messages.ts'
import { protocolVersions } from './versions.ts'

/** Why a message is refused. It names fields and never says what they held. */
export interface Fault {
  readonly errorCode: ErrorCode
  /** The fields, separated by commas, or what is wrong with the whole. */
  readonly errorDetail: string
}

/**
 * A fault.
 *
 * @param names fields, or words for what is wrong with the whole; never a value
 */
export const fault = (errorCode: ErrorCode, ...names: readonly string[]): Fault => ({
  errorCode,
  errorDetail: [...new Set(names)].join(', ').slice(0, limits.errorDetailCharsMax),
})

/** What an error message says beside the fault. */
type About = Omit<MessageOf<'Erro'>, 'errorCode' | 'errorDetail' | 'errorDescription' | 'messageVersion'> & {
  /** Of the transaction; where it is not known, the newest one. */
  readonly messageVersion?: MessageOf<'Erro'>['messageVersion'] | undefined
  readonly errorMessageType?: Exclude<MessageType, 'Erro'> | undefined
}

/**
 * The error message that answers a message which could not be processed.
 *
 * @param about who answers (`errorComponent`), to what, and the ids of the transaction as far as they are known
 */
export const erroOf = ({ errorCode, errorDetail }: Fault, about: About): MessageOf<'Erro'> => ({
  ...about,
  messageVersion: about.messageVersion ?? protocolVersions[1],
  errorCode,
  errorDescription: errorDescriptions[errorCode],
  errorDetail,
})
