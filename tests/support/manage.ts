import type { GatewayProcess } from './process.ts'

const isFile = (body: object): body is Buffer => Buffer.isBuffer(body)

const typeOf = (body: object): string => (isFile(body) ? 'application/octet-stream' : 'application/json')

/**
 * Sends a request to the management API of a gateway that prints its key; rejects unless it is answered with 2xx.
 *
 * @param body a file, or an object that is sent as JSON
 * @returns the parsed answer; its type is not checked
 */
export async function manage<T>(
  gateway: GatewayProcess,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object | Buffer,
): Promise<T> {
  const [, url = '', key = ''] = /management API +(\S+) +key (\S+)/.exec(gateway.stdout()) ?? []
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': typeOf(body) }) },
    ...(body && { body: isFile(body) ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`)
  return JSON.parse(text)
}
