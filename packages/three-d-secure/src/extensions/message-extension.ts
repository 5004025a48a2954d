import type { Fields } from '../field.ts'
import type { MessageOf } from '../messages/messages.ts'

/** One entry of `messageExtension`. */
export type MessageExtension = NonNullable<MessageOf<'RRes'>['messageExtension']>[number]

/** The data of the extension with an id. */
export const dataOf = (extensions: readonly MessageExtension[] | undefined, id: string): Fields | undefined =>
  extensions?.find((extension) => extension.id === id)?.data
