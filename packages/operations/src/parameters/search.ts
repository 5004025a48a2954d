import { isTrue, type RequestParameters, SECOND_MS } from '@tollgate/contract'
import { limits } from '../limits.ts'

/** The criteria of a search, all of which a transaction must meet, and the extent and page of the answer. */
export function readSearch(parameters: RequestParameters) {
  const { values } = parameters
  const [from, to] = [values.get('date.from'), values.get('date.to')]
  return {
    types: values.get('paymentTypes')?.split(','),
    methods: values.get('paymentMethods')?.split(','),
    merchantTransactionId: values.get('merchantTransactionId'),
    shortId: values.get('shortId'),
    /** The first millisecond of the range. */
    fromMs: from === undefined ? undefined : startOf(from),
    /** The millisecond after the range. */
    toMs: to === undefined ? undefined : startOf(to) + SECOND_MS,
    /** The maximum number of transactions in an answer. */
    limit: Number(values.get('limit') ?? limits.queryRecords),
    withLinked: isTrue(parameters, 'includeLinkedTransactions'),
    pageNo: Number(values.get('pageNo') ?? 1),
  }
}

/** The first millisecond of a second, `yyyy-MM-dd HH:mm:ss` in UTC. A range includes its first and its last second. */
const startOf = (second: string): number => Date.parse(`${second.replace(' ', 'T')}Z`)
