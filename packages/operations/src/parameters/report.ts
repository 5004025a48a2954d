import type { RequestParameters } from '@tollgate/contract'

/** The period, the filters, the order and the page of a report of settlements. */
export function readReport({ values }: RequestParameters) {
  return {
    /** yyyy-MM-dd, both inclusive. A report of the records of a settlement may have none. */
    from: values.get('date.from') ?? '',
    to: values.get('date.to') ?? '9999-12-31',
    currency: values.get('currency'),
    /** The type of the records; undefined: all. */
    recordType: values.get('reconciliationType'),
    isDescending: values.get('sortOrder')?.toUpperCase() === 'DESC',
    pageNo: Number(values.get('pageNo') ?? 1),
    /** The place after which the records begin. */
    after: placeIn(values.get('after')),
  }
}

/** The place of a record among those of its settlement: the time of its transaction, its file, and its number there. */
export interface RecordPlace {
  readonly atMs: number
  readonly fileId: string
  readonly number: number
}

/** A place as a parameter and as a member of answers. */
export const placeText = ({ atMs, fileId, number }: RecordPlace): string => `${atMs}-${fileId}-${number}`

function placeIn(text: string | undefined): RecordPlace | undefined {
  if (text === undefined) return undefined
  const [atMs, fileId = '', number] = text.split('-')
  return { atMs: Number(atMs), fileId, number: Number(number) }
}
