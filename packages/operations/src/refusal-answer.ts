import { type Refused, refusalHttpStatus, type Unknown } from '@tollgate/domain'
import type { Answer, RequestMark } from './answer.ts'
import type { Context } from './context.ts'

/** The answer to a refusal that is not stored: its id cannot be read or referred to later. */
export const refusalAnswer = (
  { render }: Pick<Context, 'render'>,
  mark: RequestMark,
  refusal: Refused | Unknown,
): Answer => render.refusal(refusalHttpStatus[refusal.kind], refusal.code, mark, refusal)
