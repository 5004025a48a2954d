import type { ParameterName, sections } from '@tollgate/contract'

/** The name of a row of the contract's parameter tables, such as `amount` or `cart.items[n].name`. */
export type RowName = (typeof sections)[number]['rows'][number]['name']

/** The name of a row that is also the name of its parameter: without index and map key. */
export type PlainName = Extract<RowName, ParameterName>
