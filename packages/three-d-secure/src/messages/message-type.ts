/**
 * Preparation, authentication, challenge and results, each with its request and its response; and the error message,
 * which answers any of them.
 */
export const messageTypes = ['PReq', 'PRes', 'AReq', 'ARes', 'CReq', 'CRes', 'RReq', 'RRes', 'Erro'] as const

/** Value of `messageType`. */
export type MessageType = (typeof messageTypes)[number]

export const isMessageType = (type: unknown): type is MessageType => messageTypes.some((known) => known === type)
