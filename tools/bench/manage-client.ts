import { BenchError } from './bench-error.ts'
import { MANAGE_KEY } from './merchants.ts'
import type { BenchGateway } from './server-process.ts'

/** The headers of each request to the management API. */
export const manageHeaders = { authorization: `Bearer ${MANAGE_KEY}` }

/** @throws BenchError unless the answer is 2xx */
export async function getText({ manageUrl }: BenchGateway, path: string, accept: string): Promise<string> {
  const answer = await fetch(`${manageUrl}${path}`, { headers: { ...manageHeaders, accept } })
  const text = await answer.text()
  if (!answer.ok) throw new BenchError(`${path} was answered with ${answer.status}: ${text}`)
  return text
}

export const getJson = async <Answer>(gateway: BenchGateway, path: string): Promise<Answer> =>
  JSON.parse(await getText(gateway, path, 'application/json'))
