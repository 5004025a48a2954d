import { limits } from '../limits.ts'
import type { Send } from '../bank/calls.ts'

/** Sends calls by HTTP. A redirect counts as an answer and is not followed. */
export const sendByHttp: Send = async ({ method, url, body }) => {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(limits.callTimeoutMs),
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json;charset=UTF-8' } }),
  })
  // An unread body would keep the connection open.
  await response.body?.cancel()
  return response.status
}
