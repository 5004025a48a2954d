import type { KnobName } from '@tollgate/simulators/testing'
import type { Fault } from './acquirer-host.ts'

// Every fault of the acquirer's host, as loads of tests set it. A knob without a row does not compile.

/** A time after which a shortened wait for an answer (tests/support/short-waits) has ended. */
export const LATE_MS = 1_600

/** How a load has a fault. */
interface KnobRow {
  /** The fault applies to every k-th request. The numbers differ, so that faults of a load meet different requests. */
  readonly every: number
  readonly value?: number
  /** The result of payments that meet the fault, if nothing else fails. */
  readonly result: 'approved' | 'reversed'
}

const knobRows: Readonly<Record<KnobName, KnobRow>> = {
  dropRequest: { every: 7, result: 'reversed' },
  halfOpen: { every: 29, result: 'reversed' },
  latencyMs: { every: 3, value: 100, result: 'approved' },
  wrongTrace: { every: 11, result: 'reversed' },
  wrongAmount: { every: 13, result: 'reversed' },
  close: { every: 31, result: 'reversed' },
  dropResponse: { every: 8, result: 'reversed' },
  afterReversal: { every: 9, result: 'reversed' },
  lateMs: { every: 10, value: LATE_MS, result: 'reversed' },
  garble: { every: 37, result: 'reversed' },
  splitBytes: { every: 2, result: 'approved' },
  duplicateResponse: { every: 4, result: 'approved' },
}

/** The types of requests for payments; network messages have no faults. */
export const requestTypes = ['0100', '0200', '0220', '0221', '0400', '0401', '0420', '0421']

/**
 * The fault of each knob, in the order of the table.
 *
 * @param choice only of knobs with this result; each to every k-th request, in place of the number of its row
 */
export const knobFaults = (choice: Partial<Pick<KnobRow, 'result' | 'every'>> = {}): readonly Fault[] =>
  Object.entries(knobRows)
    .filter(([, { result }]) => result === (choice.result ?? result))
    .map(([knob, { every, value }]) => ({
      knob,
      types: requestTypes,
      every: choice.every ?? every,
      ...(value !== undefined && { value }),
    }))
