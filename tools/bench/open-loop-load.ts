import { createLatencies, type LatencyFigures } from './latencies.ts'
import { type OpenLoop, postText, runOpenLoop } from './open-loop.ts'
import { bodyOf, type PreparedRequest } from './workload.ts'

/** Payments in an open loop. */
export interface OpenLoopLoad extends OpenLoop {
  readonly requests: readonly PreparedRequest[]
  /** The number of the first payment. */
  readonly firstNumber: number
  /** Time at the start whose answers 200 are not in the figures, because the sender connects and warms up. */
  readonly leadSeconds?: number
}

export interface OpenLoopFigures {
  readonly sent: number
  readonly notSent: number
  /** Answers 200: the time since their requests were due. */
  readonly accepted: LatencyFigures
  /** Answers 429: the time since their requests were due. */
  readonly refused: LatencyFigures
  /** Answers with another status, and requests without an answer. */
  readonly failures: number
}

/** Sends the load. Resolves after the last answer, or after the grace period if answers are missing. */
export async function sendOpenLoop({
  requests,
  firstNumber,
  leadSeconds = 0,
  ...loop
}: OpenLoopLoad): Promise<OpenLoopFigures> {
  const accepted = createLatencies()
  const refused = createLatencies()
  const leadCount = leadSeconds * loop.perSecond
  let failures = 0
  const { sent, notSent, unanswered } = await runOpenLoop(loop, (index) => {
    const prepared = requests[index % requests.length]
    if (!prepared) throw new Error('an open loop has no requests')
    return {
      text: postText('/v1/payments', prepared.authorization, bodyOf(prepared, firstNumber + index)),
      onAnswer({ status, tookMs }) {
        if (status === 429) refused.add(tookMs)
        else if (status !== 200) failures += 1
        else if (index >= leadCount) accepted.add(tookMs)
      },
    }
  })
  return { sent, notSent, accepted: accepted.figures(), refused: refused.figures(), failures: failures + unanswered }
}
