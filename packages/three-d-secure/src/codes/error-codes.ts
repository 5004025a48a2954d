/** Error codes of messages. EMV 3-D Secure, table A.4; the texts are not EMVCo's. */
const table = {
  101: 'The message is invalid for this component',
  102: 'The message version is not supported',
  103: 'The limit of sent messages was exceeded',
  201: 'A required field is missing',
  202: 'A critical message extension is not known',
  203: 'The format or value of a field is invalid',
  204: 'A field is duplicated',
  301: 'The transaction id is not recognised',
  302: 'Data could not be decrypted',
  303: 'Access is denied, or the endpoint is invalid',
  304: 'An ISO code is not valid',
  305: 'The data of the transaction are not valid',
  306: 'The merchant category is not valid for the payment system',
  307: 'The serial number is not valid',
  402: 'The transaction timed out',
  403: 'A system has a transient failure',
  404: 'A system has a permanent failure',
  405: 'The connection to a system failed',
} as const

/** Value of `errorCode`. */
export type ErrorCode = `${keyof typeof table}`

/** Text of each error code, for `errorDescription`. */
export const errorDescriptions: Readonly<Record<ErrorCode, string>> = table

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(table, code)

export const errorCodes: readonly ErrorCode[] = Object.keys(table).filter(isErrorCode)
