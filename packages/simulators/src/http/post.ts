import { limits } from '../limits.ts'

/** Sends JSON. @returns the body of the answer; undefined without one, or where its status is no success */
export type Post = (url: string, body: string) => Promise<string | undefined>

/** Sends by HTTP. A redirect is no success and is not followed. */
export const postByHttp: Post = async (url, body) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.callTimeoutMs),
      headers: { 'content-type': 'application/json;charset=UTF-8' },
      body,
    })
    const text = await bounded(response)
    return response.ok ? text : undefined
  } catch {
    return undefined
  }
}

/** The body up to the bound; a longer one is cut off, and is no valid message then. */
async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > limits.bodyBytesMax) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
