import { airline } from './airline.ts'
import { cart } from './cart.ts'
import { networkData } from './network-data.ts'
import { parties } from './parties.ts'
import { shopper } from './shopper.ts'
import type { StructurePart } from './structure.ts'
import { pointOfSale, terminal } from './terminal.ts'

/** The fields of private data, with their parts in the order of encoding. */
export const structureFields = {
  60: terminal,
  61: pointOfSale,
  63: networkData,
  120: shopper,
  121: parties,
  122: airline,
  123: cart,
} as const satisfies Readonly<Record<number, readonly StructurePart[]>>
