/** Error codes of messages. EMV 3-D Secure, table A.4; the texts are ours. */
const table = {
  101: 'The message is not one that can be processed here',
  102: 'The message version is not supported',
  103: 'Too many messages',
  201: 'A required field is missing',
  202: 'A critical message extension is not known',
  203: 'The format or value of a field is invalid',
  204: 'A field is there more than once',
  301: 'The transaction is not known',
  302: 'Data could not be decrypted',
  303: 'Access is denied, or the endpoint is invalid',
  304: 'A code is not one of ISO',
  305: 'The data of the transaction are not valid',
  306: 'The merchant category is not valid for the payment system',
  307: 'The serial number is not valid',
  402: 'The transaction timed out',
  403: 'A system failed for a moment',
  404: 'A system failed for good',
  405: 'A system could not be reached',
} as const

/** Value of `errorCode`. */
export type ErrorCode = `${keyof typeof table}`

/** Text of each error code, for `errorDescription`. */
export const errorDescriptions: Readonly<Record<ErrorCode, string>> = table

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(table, code)

export const errorCodes: readonly ErrorCode[] = Object.keys(table).filter(isErrorCode)
