import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { aggregationsCsv, shownAggregation } from './aggregation-view.ts'
import { aggregationPages, type AggregationSearch } from './aggregations.ts'

/** A complete CSV file, and the number of its lines after the header. */
interface CsvFile {
  readonly text: string
  readonly rows: number
}

/**
 * The summary of the settlements of merchants, the same as by `/reports/v1`, in the order of the merchants.
 *
 * @param period yyyy-MM-dd, both inclusive
 * @throws Error if the file has more settlements than `limits.deliveredReportRowsMax`
 */
export async function settlementCsv(
  dependencies: Pick<Context, 'storage' | 'directory'>,
  merchants: readonly string[],
  period: Pick<AggregationSearch, 'from' | 'to'>,
): Promise<CsvFile> {
  let rows = 0
  const pages = async function* () {
    for (const merchant of merchants) {
      const search = { ...ALL, ...period, merchant }
      for await (const page of aggregationPages(dependencies.storage, search, (read) => read())) {
        rows += page.length
        if (rows > limits.deliveredReportRowsMax)
          throw new Error(`a settlement report has more than ${limits.deliveredReportRowsMax} settlements`)
        yield page.map((aggregation) => shownAggregation(dependencies, aggregation))
      }
    }
  }
  let text = ''
  for await (const piece of aggregationsCsv(pages())) text += piece
  return { text, rows }
}

const ALL = { channel: undefined, currency: undefined, recordType: undefined }
