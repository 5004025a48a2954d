import type { IncomingMessage } from 'node:http'

/**
 * Whether a proxy could derive another host or another end of the body from the head of a request than Node does (RFC
 * 9112, 3.2, 6.1 and 6.3). Node's parser itself refuses Content-Length beside Transfer-Encoding, two lengths, folded
 * lines and blanks before a colon.
 */
export function isAmbiguous({ rawHeaders, headers, httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true
  const { host, 'transfer-encoding': coding } = headers
  // "A server MUST respond with 400 to any request message that contains more than one Host header field line."
  if (host !== undefined && (HOST_SEPARATOR.test(host) || countHosts(rawHeaders) > 1)) return true
  // A message "that uses Transfer-Encoding with HTTP/1.0" is framed by chunks in one parser, by its length in another.
  return coding !== undefined && (httpVersionMinor === 0 || coding.trim().toLowerCase() !== 'chunked')
}

/** A blank or comma in a Host header: it contains several hosts, which a proxy may have joined in one line. */
const HOST_SEPARATOR = /[\s,]/

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}
