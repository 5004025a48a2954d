import type { ReversalReason } from '../port.ts'
import type { IsoMessage } from './answer.ts'
import type { Trace } from './trace.ts'

/**
 * The fields of a request that its reversal repeats, besides those that follow from the trace. An operator may change
 * the ids of the profile, fields 32 and 33, meanwhile.
 */
const repeatedFields = [3, 18, 22, 25, 32, 33, 43] as const
/** The fields that the repeat of an advice has, too: those of a sale at a terminal do not follow from the trace. */
const adviceFields = [12, 13, 38, 39] as const
const fieldsOfAdvice = [...repeatedFields, ...adviceFields]
type RepeatedField = (typeof repeatedFields)[number] | (typeof adviceFields)[number]

const ADVICE = '0220'

/** The fields that references can have. */
export const keptFields: ReadonlySet<number> = new Set<number>([...repeatedFields, ...adviceFields])

/** The parameters of a capture that its repeat needs. */
const captureParameters = ['sequence', 'numberOfCaptures'] as const
type CaptureParameter = (typeof captureParameters)[number]

/**
 * The references of a sent message. They are stored before it is sent, so that its repeats and its reversal can be made
 * from them. They have no account data.
 */
export interface SentAs extends Trace {
  /** The message type, such as 0100. */
  readonly type: string
  readonly fields: Readonly<Partial<Record<RepeatedField, string>>>
  readonly parameters: Readonly<Partial<Record<CaptureParameter, string>>>
  /** The number of a capture among the captures of its authorisation. */
  readonly captureSequence?: number | undefined
  /** Only of a reversal, whose repeats have the same reason. Stored rows may lack it: `noAnswer`. */
  readonly reason?: ReversalReason | undefined
}

/** The references of a message. @param parameters those of the request, by name */
export function sentAsOf(
  { type, fields }: IsoMessage,
  trace: Trace,
  parameters: ReadonlyMap<string, string>,
  { captureSequence, reason }: Pick<SentAs, 'captureSequence' | 'reason'>,
): SentAs {
  const kept: Partial<Record<RepeatedField, string>> = {}
  for (const number of type === ADVICE ? fieldsOfAdvice : repeatedFields) {
    const value = fields[number]
    if (value !== undefined) kept[number] = value
  }
  const keptParameters: Partial<Record<CaptureParameter, string>> = {}
  for (const name of captureParameters) {
    const value = parameters.get(name)
    if (value !== undefined) keptParameters[name] = value
  }
  const { terminalId, stan, atMs } = trace
  return { terminalId, stan, atMs, type, fields: kept, parameters: keptParameters, captureSequence, reason }
}

/** The references as JSON. */
export const writeSentAs = (sentAs: SentAs): string => JSON.stringify(sentAs)

/** Reads the text of `writeSentAs`. @throws Error without a value if it has another shape */
export function readSentAs(text: string): SentAs {
  const stored = parsed(text)
  if (!isSentAs(stored)) throw new Error('the stored references of a message to the acquirer are damaged')
  return stored
}

/** The value of a text of JSON; undefined for other texts. The error of `JSON.parse` would quote the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSentAs(value: unknown): value is SentAs {
  if (!isObject(value)) return false
  const { type, terminalId, stan, atMs, fields, parameters, captureSequence, reason } = value
  return (
    [type, terminalId, stan].every((text) => typeof text === 'string') &&
    typeof atMs === 'number' &&
    (captureSequence === undefined || typeof captureSequence === 'number') &&
    (reason === undefined || reason === 'noAnswer' || reason === 'partialApproval') &&
    [fields, parameters].every(
      (texts) => isObject(texts) && Object.values(texts).every((text) => typeof text === 'string'),
    )
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
