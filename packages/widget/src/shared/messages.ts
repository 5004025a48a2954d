import type { WidgetResult } from '@tollgate/contract'

// The tables contain all messages between the page and a frame, one per row. Any other message is ignored. No message
// to the page has a member for digits of a card. After an update of the gateway, a page that is still open may combine
// the earlier version of one side with the new version of the other, so members must keep their names.

/** The types of the members of messages. */
interface Values {
  readonly text: string
  readonly flag: boolean
  readonly texts: readonly string[]
  readonly pairs: readonly (readonly [string, string])[]
  readonly result: WidgetResult
}

type Shape = Readonly<Record<string, keyof Values>>
type Table = Readonly<Record<string, Shape>>

/** The union of a table's messages, discriminated by `kind`. */
export type MessageOf<T extends Table> = {
  [Kind in keyof T]: { readonly kind: Kind } & { readonly [Name in keyof T[Kind]]: Values[T[Kind][Name]] }
}[keyof T]

/** Messages from the page to a frame. */
export const toFrame = {
  /** Sent once, with the port for all further messages. `pair`: the id of the form, which its frames share. */
  connect: { pair: 'text', label: 'text', placeholder: 'text', brands: 'texts', masked: 'flag' },
  /** Pairs of property and value for the text and for its placeholder; `scheme`: `light` or `dark`. */
  style: { scheme: 'text', text: 'pairs', placeholder: 'pairs' },
  /**
   * `brand`: the brand that was chosen or detected; empty if there is none, or, for the field of the number, if the
   * shopper has no choice of brands. `hint`: the text below the field while the field has no error.
   */
  brand: { brand: 'text', hint: 'text' },
  /** Error text of the value; empty if it is valid. */
  mark: { error: 'text' },
  focus: {},
  clear: {},
  /** `action`: the last part of the path, `payment` or `registration`. */
  submit: { action: 'text', parameters: 'pairs' },
} as const satisfies Table

/** Messages from a frame to the page. */
export const toPage = {
  ready: {},
  /** `error`: the key of the error text; empty if the value is valid. `full`: no more digits fit. */
  change: { empty: 'flag', full: 'flag', error: 'text', brands: 'texts' },
  focus: {},
  blur: {},
  /** The shopper pressed Enter. */
  enter: {},
  result: { result: 'result' },
} as const satisfies Table

const isPair = (value: unknown): boolean => Array.isArray(value) && value.length === 2 && value.every(hasType.text)

const hasType: Readonly<Record<keyof Values, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(hasType.text),
  pairs: (value) => Array.isArray(value) && value.every(isPair),
  result: (value) => typeof value === 'object' && value !== null && 'kind' in value,
}

/**
 * Whether `data` is a message of the table, whose members all have the types of the table. Further members are ignored.
 */
export function isMessage<T extends Table>(table: T, data: unknown): data is MessageOf<T> {
  if (typeof data !== 'object' || data === null || !('kind' in data) || typeof data.kind !== 'string') return false
  const shape = Object.hasOwn(table, data.kind) ? table[data.kind] : undefined
  const members = new Map<string, unknown>(Object.entries(data))
  return shape !== undefined && Object.entries(shape).every(([name, type]) => hasType[type](members.get(name)))
}
