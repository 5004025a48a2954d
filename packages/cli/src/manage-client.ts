import { readConfig } from '@tollgate/gateway'
import { limits } from './limits.ts'

/** A command that cannot be done, with what would be right. */
export class CommandError extends Error {
  readonly mendable = true
}

/**
 * Asks the management API of the gateway that the same environment variables would start.
 *
 * @param path below /manage/v1, with a leading slash
 * @throws CommandError when the gateway cannot be reached or refuses
 */
export async function manage(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<unknown> {
  const { host, managePort, manageKey } = readConfig(process.env)
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${managePort}`
  let response: Response
  try {
    response = await fetch(`${address}/manage/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${manageKey}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(limits.answerTimeoutMs),
      ...(body && { body: JSON.stringify(body) }),
    })
  } catch {
    throw new CommandError(`no gateway answers at ${address}; start one with: tollgate serve`)
  }
  if (response.status === 401) {
    throw new CommandError('the gateway refuses the key: set TOLLGATE_MANAGE_KEY to the one that it was started with')
  }
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) return answer
  throw new CommandError(messageOf(answer) ?? `${address} answered ${response.status}, but not as a gateway does`)
}

function messageOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined
  const { error } = answer
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined
  return String(error.message)
}
