import type { ReversalReason } from '../port.ts'
import type { IsoMessage } from './answer.ts'
import type { AcquirerProfile } from './profile.ts'
import type { SentAs } from './sent-as.ts'
import { originalData, retrievalReference, transmissionTime } from './trace.ts'

/** Field 39 of an advice: "39: reason: 68 late/timeout, 32 partial". */
const reasonCodes: Readonly<Record<ReversalReason, string>> = { noAnswer: '68', partialApproval: '32' }

/** The fields that the reversal of a request repeats. Those of `SentAs` are as the first message had them. */
const repeatedFields = [2, 4, 12, 13, 14, 32, 33, 41, 42, 49] as const

/**
 * The advice that reverses a request (0420), or its repeat (0421). All messages of one reversal have the same trace
 * number and time.
 *
 * @param request the request, as it is sent without its parameters. Its secrets that the advice does not repeat, such
 *   as a cvv, are erased
 */
export function reversalMessage(
  profile: AcquirerProfile,
  request: IsoMessage,
  { sent, reversal, isRepeat }: { readonly sent: SentAs; readonly reversal: SentAs; readonly isRepeat: boolean },
): IsoMessage {
  const repeated = Object.fromEntries(repeatedFields.map((number) => [number, request.fields[number]]))
  const kept = new Set<unknown>(Object.values(repeated))
  for (const value of Object.values(request.fields)) {
    if (value instanceof Uint8Array && !kept.has(value)) value.fill(0)
  }
  return {
    type: isRepeat ? '0421' : '0420',
    fields: {
      ...repeated,
      ...sent.fields,
      7: transmissionTime(reversal),
      11: reversal.stan,
      37: retrievalReference(sent),
      39: reasonCodes[reversal.reason ?? 'noAnswer'],
      90: originalData(sent.type, sent, {
        acquirerId: sent.fields[32] ?? profile.acquirerId,
        forwarderId: sent.fields[33] ?? profile.forwarderId,
      }),
    },
  }
}
