import type { Exchange } from '@tollgate/connectors'
import { limits } from '../limits.ts'

/** Sends one JSON request to an address that an operator has configured, with a timeout and a bound on the answer. */
export const exchangeJson: Exchange = async (method, url, body, additional) => {
  try {
    const signal = AbortSignal.timeout(limits.connectorAnswerMs)
    const headers = { ...additional, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(url, {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await textOf(answer), sent: true }
  } catch (error) {
    return { status: 0, body: '', sent: !isNotSent(error) }
  }
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > limits.acquirerAnswerBytesMax) throw new Error('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Whether an error shows that the request did not reach a server. */
function isNotSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
}
