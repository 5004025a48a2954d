import { limits } from '../limits.ts'

/** Sends JSON. @returns the body of the answer; undefined if there is no answer, or its status is not a success */
export type Post = (url: string, body: string) => Promise<string | undefined>

/** Sends by HTTP. A redirect is not a success and is not followed. */
export const postByHttp: Post = async (url, body) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.callTimeoutMs),
      headers: { 'content-type': 'application/json;charset=UTF-8' },
      body,
    })
    const text = await readBounded(response)
    return response.ok ? text : undefined
  } catch {
    return undefined
  }
}

/** Reads a body up to the bound. A longer body is cut off, and is then not a valid message. */
async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > limits.bodyBytesMax) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
