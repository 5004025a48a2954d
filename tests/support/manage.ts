import type { GatewayProcess } from './process.ts'

/**
 * Sends a request to the management API of a gateway that prints its key; rejects unless it is answered with 2xx.
 *
 * @returns the parsed answer; its type is not checked
 */
export async function manage<T>(
  gateway: GatewayProcess,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const [, url = '', key = ''] = /management API +(\S+) +key (\S+)/.exec(gateway.stdout()) ?? []
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`)
  return JSON.parse(text)
}
