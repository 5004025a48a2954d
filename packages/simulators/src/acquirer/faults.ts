import { limits } from '../limits.ts'
import { messageTypes } from './message-types.ts'

/** One knob: what its value means, and the default if a fault names none. */
interface Knob {
  readonly effect: string
  /** The largest value; 0 if the knob has no value. */
  readonly max: number
  readonly defaultValue: number
}

const knob = (effect: string, max = 0, defaultValue = 0): Knob => ({ effect, max, defaultValue })

/** The knobs. If several apply to one message, they take effect in this order. */
export const knobs = {
  dropRequest: knob('the message is not processed and not answered'),
  halfOpen: knob('from this message on, the host reads nothing more from the connection, and keeps it open'),
  latencyMs: knob('the message is processed after this time', limits.acquirerFaultMsMax),
  wrongTrace: knob('the answer has the next trace number (field 11)'),
  wrongAmount: knob('the answer has an amount (field 4) that is higher by one'),
  close: knob('the message is processed, and the connection is closed without an answer'),
  dropResponse: knob('the message is processed and not answered'),
  afterReversal: knob('the answer leaves after a reversal of its message was processed'),
  lateMs: knob('the message is processed at once, and the answer leaves after this time', limits.acquirerFaultMsMax),
  garble: knob('this number of bytes of the answer is changed', limits.acquirerFaultCountMax, 1),
  splitBytes: knob('the answer is written in pieces of this size', limits.acquirerFaultCountMax, 1),
  duplicateResponse: knob('the answer is sent twice'),
} as const satisfies Readonly<Record<string, Knob>>

export type KnobName = keyof typeof knobs

const isKnobName = (name: unknown): name is KnobName => typeof name === 'string' && Object.hasOwn(knobs, name)

/** A fault that is set. It applies to every matching message, to the next ones, or to every k-th. */
export interface AcquirerFault {
  readonly knob: KnobName
  readonly value: number
  /** Message types; all if there are none. */
  readonly types: readonly string[]
  readonly next?: number
  readonly every?: number
  /** Selects the bytes that `garble` changes. */
  readonly seed: number
}

/** A fault, the number of messages that it matched, and the number to which it was applied. */
export interface CountedFault extends AcquirerFault {
  readonly matched: number
  readonly applied: number
}

/** The faults that apply to one message, by their knob. */
export type ActiveFaults = ReadonlyMap<KnobName, Pick<AcquirerFault, 'value' | 'seed'>>

export interface FaultSwitch {
  readonly list: () => readonly CountedFault[]
  /** Replaces all faults, and starts their counts at 0. */
  readonly replace: (faults: readonly AcquirerFault[]) => void
  /** Counts a message, and selects the faults that apply to it. */
  readonly take: (type: string) => ActiveFaults
}

const noFaults: ActiveFaults = new Map()

export function createFaultSwitch(): FaultSwitch {
  let faults: readonly CountedFault[] = []
  return {
    list: () => faults,
    replace(next) {
      faults = next.map((fault) => ({ ...fault, matched: 0, applied: 0 }))
    },
    take(type) {
      if (faults.length === 0) return noFaults
      const active = new Map<KnobName, AcquirerFault>()
      faults = faults.map((fault) => {
        if (fault.types.length > 0 && !fault.types.includes(type)) return fault
        const matched = fault.matched + 1
        if (!isDue(fault, matched)) return { ...fault, matched }
        active.set(fault.knob, { ...fault, seed: fault.seed + fault.applied })
        return { ...fault, matched, applied: fault.applied + 1 }
      })
      return active
    },
  }
}

const isDue = ({ next, every, applied }: CountedFault, matched: number): boolean =>
  every === undefined ? next === undefined || applied < next : matched % every === 0

/** Faults in JSON; or the reason why the text has none. */
export type ParsedFaults = { readonly faults: readonly AcquirerFault[] } | { readonly problem: string }

/** Reads a list of faults: `[{ "knob": "latencyMs", "value": 500, "types": ["0100"], "next": 1 }]`. */
export function parseFaults(text: string): ParsedFaults {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return { problem: 'the body must be JSON' }
  }
  if (!Array.isArray(list) || list.length > limits.acquirerFaultsMax)
    return { problem: `the body must be a list of at most ${limits.acquirerFaultsMax} faults` }
  const faults: AcquirerFault[] = []
  for (const [index, item] of list.entries()) {
    const fault = faultOf(Object(item))
    if (typeof fault === 'string') return { problem: `fault ${index}: ${fault}` }
    faults.push(fault)
  }
  return { faults }
}

const names: ReadonlySet<string> = new Set(['knob', 'value', 'types', 'next', 'every', 'seed'])

function faultOf(item: Readonly<Record<string, unknown>>): AcquirerFault | string {
  const unknown = Object.keys(item).find((name) => !names.has(name))
  if (unknown !== undefined) return `${unknown} is not known; use ${[...names].join(', ')}`
  const { knob: name, types = [], next, every, seed = 1 } = item
  if (!isKnobName(name)) return `knob must be one of ${Object.keys(knobs).join(', ')}`
  const { max, defaultValue }: Knob = knobs[name]
  const { value = defaultValue } = item
  if (!isCount(value, max === 0 ? 0 : 1, max)) return `value must be ${max === 0 ? 'absent' : `from 1 to ${max}`}`
  if (!isTypes(types)) return 'types must be a list of message types'
  if (next !== undefined && every !== undefined) return 'next and every exclude each other'
  if (!isOptionalCount(next) || !isOptionalCount(every) || !isCount(seed))
    return `next, every and seed must be from 1 to ${limits.acquirerFaultCountMax}`
  return { knob: name, value, types, seed, ...(next !== undefined && { next }), ...(every !== undefined && { every }) }
}

const isCount = (value: unknown, min = 1, max: number = limits.acquirerFaultCountMax): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max

const isOptionalCount = (value: unknown): value is number | undefined => value === undefined || isCount(value)

const isTypes = (types: unknown): types is readonly string[] =>
  Array.isArray(types) && types.every((type) => typeof type === 'string' && Object.hasOwn(messageTypes, type))
