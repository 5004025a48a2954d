import type { IncomingMessage } from 'node:http'

/**
 * Whether a proxy in front could read the head of a request in another way than Node does: where it ends, or for which
 * host it is (RFC 9112, 3.2, 6.1 and 6.3). Node's parser itself refuses a length beside chunks, two lengths, folded
 * lines and blanks before a colon.
 */
export function isAmbiguous({ rawHeaders, headers, httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true
  const { host, 'transfer-encoding': coding } = headers
  // "A server MUST respond with 400 to any request message that contains more than one Host header field line."
  if (host !== undefined && (LIST.test(host) || countHosts(rawHeaders) > 1)) return true
  // "… that uses Transfer-Encoding with HTTP/1.0" is framed by chunks for one and by its length for another.
  return coding !== undefined && (httpVersionMinor === 0 || coding.trim().toLowerCase() !== 'chunked')
}

/** Two hosts that a proxy has put into one line. */
const LIST = /[\s,]/

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}
