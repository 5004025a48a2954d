import { describeResult, type ResultCode } from '@tollgate/contract'
import type { Answer, RequestMark } from '../answer.ts'
import type { Context } from '../context.ts'

/** "Create: 000.200.100, ndc equal to id, integrity when integrity=true": HTTP 200. */
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

/** The reason why there is no checkout: distinct reasons save guesses. */
export type Missing = 'unknown' | 'elsewhere' | 'expired'

const other = { test: 'live', live: 'test' } as const

const reasons: Readonly<Record<Missing, string>> = {
  unknown: 'there is no such checkout, or it was forgotten a day after it expired',
  elsewhere: 'the checkout was created in the other environment: test and live have separate addresses',
  expired: 'the checkout has expired: an id is valid for 30 minutes, create another',
}

/** "404 by the contract, 200.300.404 with a hint on mixed test and live or more than 30 minutes." */
export const missingAnswer = ({ render }: Context, mark: RequestMark, why: Missing): Answer =>
  render.refusal(404, '200.300.404', mark, { reason: reasons[why] })

/** The answer for an id without a stored row. */
export const whyMissing = ({ environment }: Context, id: string): Missing =>
  id.endsWith(`.${other[environment]}`) ? 'elsewhere' : 'unknown'
