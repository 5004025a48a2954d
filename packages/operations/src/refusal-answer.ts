import { type Refused, refusalHttpStatus, type Unknown } from '@tollgate/domain'
import type { Answer, RequestMark } from './answer.ts'
import type { Context } from './context.ts'

/** The answer to what is refused without being kept: nothing can be read by its id, or referred to, later. */
export const refusalAnswer = ({ render }: Pick<Context, 'render'>, mark: RequestMark, why: Refused | Unknown): Answer =>
  render.refusal(refusalHttpStatus[why.kind], why.code, mark, why)
