import { structure, type StructurePart } from './structure.ts'

/** Field 60: the terminal. Field 41 has the terminal's id of 8 characters in the trace. */
export const terminal: readonly StructurePart[] = [
  structure('pos.', 'T', [
    ['1', 'terminalId'],
    ['2', 'deviceId'],
    ['3', 'deviceType'],
  ]),
]

/** Field 61: the place and number of the transaction at the terminal. */
export const pointOfSale: readonly StructurePart[] = [
  structure('pos.', 'P', [
    ['1', 'location.accuracy'],
    ['2', 'location.latitude'],
    ['3', 'location.longitude'],
    ['4', 'transactionSequenceNumber'],
    ['5', 'transactionSource'],
  ]),
]
