import { isTrue, type RequestParameters, SECOND_MS } from '@tollgate/contract'
import type { TransactionFilter } from '@tollgate/storage'
import { limits } from '../limits.ts'

/** The transactions linked to a found one that are shown with it: types and methods that are wanted. */
export type LinkedTerms = Pick<TransactionFilter, 'types' | 'methods'>

/** The criteria of a search, joined by "and". */
export interface SearchTerms extends LinkedTerms {
  readonly merchantTransactionId: string | undefined
  readonly shortId: string | undefined
  /** The first millisecond. */
  readonly fromMs: number | undefined
  /** The millisecond after the last. */
  readonly toMs: number | undefined
  /** How many transactions an answer may have. */
  readonly limit: number
  readonly withLinked: boolean
  readonly pageNo: number
}

export function readSearch(parameters: RequestParameters): SearchTerms {
  const { values } = parameters
  const [from, to] = [values.get('date.from'), values.get('date.to')]
  return {
    types: values.get('paymentTypes')?.split(','),
    methods: values.get('paymentMethods')?.split(','),
    merchantTransactionId: values.get('merchantTransactionId'),
    shortId: values.get('shortId'),
    fromMs: from === undefined ? undefined : startOf(from),
    toMs: to === undefined ? undefined : startOf(to) + SECOND_MS,
    limit: Number(values.get('limit') ?? limits.queryRecords),
    withLinked: isTrue(parameters, 'includeLinkedTransactions'),
    pageNo: Number(values.get('pageNo') ?? 1),
  }
}

/** The first millisecond of a second, `yyyy-MM-dd HH:mm:ss` in UTC; both ends of a range are in it. */
const startOf = (second: string): number => Date.parse(`${second.replace(' ', 'T')}Z`)
