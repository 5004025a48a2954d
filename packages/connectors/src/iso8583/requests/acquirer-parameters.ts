import { keptParameters } from './kept-parameters.ts'
import { privateElements } from './private-data.ts'
import type { RowName } from './row-name.ts'
import type { StructurePart, StructureRow } from './structures/structure.ts'
import { structureFields } from './structures/structure-fields.ts'

/** A place in a request. */
export interface ParameterPlace {
  /** The number of the field; 0 for the message type. */
  readonly field: number
  /** The tags of the elements in a field of private data, from the outer one: an item's first, without its key. */
  readonly tags: readonly string[]
}

/** The treatment of a parameter: its places in requests, or the reason why no request contains it. */
export type ParameterTreatment = { readonly places: readonly ParameterPlace[] } | { readonly reason: string }

/** The parameters that have a field of their own. */
const ownFields: readonly (readonly [name: RowName, field: number])[] = [
  ['paymentType', 0],
  ['card.number', 2],
  ['tokenAccount.number', 2],
  ['giftCard.number', 2],
  ['paymentType', 3],
  ['transactionProcessingCode', 3],
  ['amount', 4],
  ['card.expiryMonth', 14],
  ['card.expiryYear', 14],
  ['tokenAccount.expiryMonth', 14],
  ['tokenAccount.expiryYear', 14],
  ['merchant.mcc', 18],
  ['pos.entryMode', 22],
  ['pos.pinEntryCapability', 22],
  ['standingInstruction.mode', 22],
  ['pos.panSequenceNumber', 23],
  ['transactionCategory', 25],
  ['merchant.name', 43],
  ['merchant.city', 43],
  ['merchant.country', 43],
  ['descriptor', 43],
  ['currency', 49],
  ['pos.encryptedPin.data', 52],
  ['pos.encryptedPin.ksn', 53],
  ['pos.iccDataRequest', 55],
  ['pos.encryptedSred.data', 124],
  ['bankAccount.iban', 102],
  ['bankAccount.number', 102],
  ['virtualAccount.accountId', 102],
  ['giftCard.number', 102],
  ['sender.accountNumber', 102],
  ['recipient.accountNumber', 103],
  ['descriptor', 104],
]

/** A parameter in one place. */
type PlacedName = readonly [name: string, place: ParameterPlace]

function structurePlaces(field: number, part: StructurePart, outer: readonly string[] = []): readonly PlacedName[] {
  const place = (tag: string): ParameterPlace => ({ field, tags: [...outer, tag] })
  switch (part.kind) {
    case 'structure':
      return part.rows.map(({ tag, name }) => [name, place(tag)])
    case 'list': {
      const tags = [...outer, part.letter]
      const rowPlace = ({ tag, name }: StructureRow): PlacedName => [name, { field, tags: [...tags, tag] }]
      return [...part.rows.map(rowPlace), ...(part.inner ? structurePlaces(field, part.inner, tags) : [])]
    }
    case 'map':
      return [[part.name, place(part.letter)]]
    case 'value':
      return part.names.map((name) => [name, place(part.tag)])
  }
}

const PRIVATE_DATA = 48

const placedNames: readonly PlacedName[] = [
  ...ownFields.map(([name, field]): PlacedName => [name, { field, tags: [] }]),
  ...privateElements.flatMap(({ tag, names }) =>
    names.map((name): PlacedName => [name, { field: PRIVATE_DATA, tags: [tag] }]),
  ),
  ...Object.entries<readonly StructurePart[]>(structureFields).flatMap(([field, parts]) =>
    parts.flatMap((part) => structurePlaces(Number(field), part)),
  ),
]

/** Every parameter of a payment, by the name of its row, with its treatment in requests to an acquirer. */
export const acquirerParameters: ReadonlyMap<string, ParameterTreatment> = new Map<string, ParameterTreatment>([
  ...keptParameters.map(([name, reason]) => [name, { reason }] as const),
  ...placesByName(),
])

function placesByName(): ReadonlyMap<string, { readonly places: readonly ParameterPlace[] }> {
  const byName = new Map<string, { readonly places: readonly ParameterPlace[] }>()
  for (const [name, place] of placedNames) byName.set(name, { places: [...(byName.get(name)?.places ?? []), place] })
  return byName
}
