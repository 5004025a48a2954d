import { describeResult, type ResultCode } from '@tollgate/contract'
import type { Answer, RequestMark } from '../answer.ts'
import type { Context } from '../context.ts'

/** The answer to a creation or update. "Create: 000.200.100, ndc equal to id, integrity when integrity=true". */
export function checkoutAnswer(
  { render }: Context,
  mark: RequestMark,
  id: string,
  code: ResultCode,
  integrity?: string,
): Answer {
  const head = { id, result: { code, description: describeResult(code) }, integrity }
  return { status: 200, code, body: render.body(head, { ...mark, ndc: id }) }
}

/** The reason why a checkout cannot be used. */
export type MissingReason = 'unknown' | 'otherEnvironment' | 'expired'

const otherEnvironments = { test: 'live', live: 'test' } as const

const reasons: Readonly<Record<MissingReason, string>> = {
  unknown: 'there is no such checkout, or it was deleted a day after it expired',
  otherEnvironment: 'the checkout was created in the other environment: test and live have separate addresses',
  expired: 'the checkout has expired: an id is valid for 30 minutes, create another',
}

/** "404 by the contract, 200.300.404 with a hint on mixed test and live or more than 30 minutes." */
export const missingAnswer = ({ render }: Context, mark: RequestMark, reason: MissingReason): Answer =>
  render.refusal(404, '200.300.404', mark, { reason: reasons[reason] })

/** The reason why an id has no checkout, or none that the caller may read. */
export const missingReason = ({ environment }: Context, id: string): MissingReason =>
  id.endsWith(`.${otherEnvironments[environment]}`) ? 'otherEnvironment' : 'unknown'
