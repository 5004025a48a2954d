import { describeResult } from '@tollgate/contract'
import type { Answer, RequestMark } from '../answer.ts'
import type { Context } from '../context.ts'

export const FOUND = '000.000.100'
/** "Queries for nothing: 404, 700.400.580." */
export const NOTHING = '700.400.580'

/**
 * What was found, as a list.
 *
 * @param records each the JSON of a payment's answer
 * @param numbers further members
 */
export function listAnswer(
  { render }: Context,
  mark: RequestMark,
  name: 'payments' | 'records',
  records: readonly string[],
  numbers: Readonly<Record<string, number>> = {},
): Answer {
  return { status: 200, code: FOUND, body: render.list({ ...headOf(mark), ...numbers }, mark, name, records) }
}

/** The JSON before and after the records of such a list, for one that is written in pieces. */
export const listFrame = (
  { render }: Context,
  mark: RequestMark,
  name: 'payments',
): readonly [start: string, end: string] => render.frame(headOf(mark), mark, name)

const headOf = ({ requestId: id }: RequestMark) => ({ id, result: { code: FOUND, description: describeResult(FOUND) } })

/** Of a psp or division it cannot be told whose payments are looked for. */
export const whoseAnswer = ({ render }: Context, mark: RequestMark): Answer =>
  render.refusal(400, '200.300.407', mark, { reason: 'entityId must name a merchant or a channel' })

export const tooMuchAnswer = ({ render }: Context, mark: RequestMark): Answer =>
  render.refusal(429, '800.120.100', mark, { reason: 'too many queries are under way at once' })
