/** The class of a message: the second digit of its type, with advices of a financial transaction apart. */
export type MessageClass = 'authorisation' | 'financial' | 'advice' | 'reversal' | 'reconciliation' | 'network'

/** One message type that the host processes. */
export interface MessageTypeRow {
  readonly class: MessageClass
  /** The type of the answer. */
  readonly answer: string
  /** The type of the first transmission: 0100 of 0101. */
  readonly first: string
  readonly isRepeat: boolean
  /** Whether the client reports an event that has happened; otherwise it requests a decision. */
  readonly isAdvice: boolean
}

const row = (kind: MessageClass, first: string, answer: string, isRepeat: boolean): MessageTypeRow => ({
  class: kind,
  answer,
  first,
  isRepeat,
  isAdvice: first[2] === '2',
})

/** The message types of clients. */
export const messageTypes: Readonly<Record<string, MessageTypeRow>> = {
  '0100': row('authorisation', '0100', '0110', false),
  '0101': row('authorisation', '0100', '0110', true),
  '0200': row('financial', '0200', '0210', false),
  '0201': row('financial', '0200', '0210', true),
  '0220': row('advice', '0220', '0230', false),
  '0221': row('advice', '0220', '0230', true),
  '0400': row('reversal', '0400', '0410', false),
  '0401': row('reversal', '0400', '0410', true),
  '0420': row('reversal', '0420', '0430', false),
  '0421': row('reversal', '0420', '0430', true),
  '0500': row('reconciliation', '0500', '0510', false),
  '0501': row('reconciliation', '0500', '0510', true),
  '0800': row('network', '0800', '0810', false),
}

/** The type of the first transmission of a message: 0100 of 0101. Other types are unchanged. */
export const firstTypeOf = (type: string): string => messageTypes[type]?.first ?? type

/** Whether a type is an answer: its third digit, the function, is odd. A host never answers an answer. */
export const isAnswerType = (type: string): boolean => Number(type[2]) % 2 === 1

/** The type of the answer to any request or advice, also of a type that the host does not process. */
export const answerTypeOf = (type: string): string =>
  messageTypes[type]?.answer ?? `${type.slice(0, 2)}${(Number(type[2]) + 1) % 10}0`
