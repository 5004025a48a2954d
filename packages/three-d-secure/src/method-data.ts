import { decodeBase64Url, encodeBase64Url } from './base64url.ts'
import { isFields } from './field.ts'
import { limits } from './limits.ts'
import { parseStrictJson } from './strict-json.ts'
import { UUID } from './format.ts'
import { isWebUrl } from './web-url.ts'

/**
 * Content of the form field `threeDSMethodData`, which is sent to the ACS's method URL, and returned without the
 * notification URL. EMV 3-D Secure, table A.2.
 */
export interface MethodData {
  readonly threeDSServerTransID: string
  /** Address to which the ACS's page returns, at most 256 characters. */
  readonly threeDSMethodNotificationURL?: string | undefined
}

/** The data as base64url without padding. */
export const encodeMethodData = ({ threeDSServerTransID, threeDSMethodNotificationURL }: MethodData): string =>
  encodeBase64Url(new TextEncoder().encode(JSON.stringify({ threeDSServerTransID, threeDSMethodNotificationURL })))

/**
 * Decodes `threeDSMethodData`. Unknown members are ignored; undefined if the text or a known member is invalid, or if a
 * member is an object or a list.
 */
export function decodeMethodData(text: string): MethodData | undefined {
  const bytes = decodeBase64Url(text, limits.methodDataCharsMax)
  const fields = bytes && parseStrictJson(new TextDecoder().decode(bytes), 1)
  if (!isFields(fields)) return undefined
  const { threeDSServerTransID, threeDSMethodNotificationURL } = fields
  if (typeof threeDSServerTransID !== 'string' || !UUID.test(threeDSServerTransID)) return undefined
  if (threeDSMethodNotificationURL === undefined) return { threeDSServerTransID }
  const isShort = typeof threeDSMethodNotificationURL === 'string' && threeDSMethodNotificationURL.length <= 256
  return isShort && isWebUrl(threeDSMethodNotificationURL)
    ? { threeDSServerTransID, threeDSMethodNotificationURL }
    : undefined
}
