/**
 * Preparation, authentication, challenge and results, each with request and response; and the error message.
 */
export const messageTypes = ['PReq', 'PRes', 'AReq', 'ARes', 'CReq', 'CRes', 'RReq', 'RRes', 'Erro'] as const

/** Value of `messageType`. */
export type MessageType = (typeof messageTypes)[number]

export const isMessageType = (type: unknown): type is MessageType =>
  messageTypes.some((messageType) => messageType === type)
