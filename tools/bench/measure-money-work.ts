import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { getJson, getText, manageHeaders } from './manage-client.ts'
import { measureWork, until, type WorkFigures } from './measure-work.ts'
import { type MoneyYear, settledOn, settlementFile, type StoredYear } from './money-files.ts'
import { usageOf } from './process-usage.ts'
import type { BenchGateway } from './server-process.ts'
import { median } from './statistics.ts'

/** The gateway posts the payments as soon as it runs: the figures begin with the first look at its progress. */
export async function measurePosting(gateway: BenchGateway, { times, count }: MoneyYear): Promise<WorkFigures> {
  const lastMs = times.untilMs - times.spacingMs
  const postedMs = async () => {
    const { completeTo } = await getJson<{ completeTo: string | null }>(
      gateway,
      '/totals?from=2000-01-01&to=2000-01-01',
    )
    return completeTo === null ? 0 : Math.max(0, Date.parse(completeTo))
  }
  const earliestMs = times.untilMs - count * times.spacingMs
  const firstMs = Math.max(earliestMs, await postedMs())
  return measureWork(gateway.pid, async () => {
    await until('the gateway posts', async () => (await postedMs()) > lastMs)
    return Math.floor((times.untilMs - firstMs) / times.spacingMs)
  })
}

/** Uploads the files of the year, each of a day, and waits until all their rows are stored and matched. */
export async function measureImport(gateway: BenchGateway, year: MoneyYear): Promise<WorkFigures> {
  const figures = await measureWork(gateway.pid, () =>
    importFiles(gateway, year, filesOf(year, year.firstNumber, year.count)),
  )
  const { breaks } = await getJson<{ breaks: unknown[] }>(gateway, '/settlement-breaks')
  if (breaks.length > 0) throw new BenchError('there are rows of settlement files without a transaction')
  return figures
}

/** The numbers of the payments of each file, from `first` to below `end`: those of a day. */
export function filesOf(year: StoredYear, first: number, end: number): (readonly [first: number, end: number])[] {
  const files: [number, number][] = []
  let start = first
  for (let number = first; number < end; number += 1)
    if (number + 1 === end || settledOn(year, number) !== settledOn(year, number + 1)) {
      files.push([start, number + 1])
      start = number + 1
    }
  return files
}

/** Uploads files one after the other, and waits until the last one is read. @returns the number of their rows */
export async function importFiles(
  gateway: BenchGateway,
  year: StoredYear,
  files: readonly (readonly [first: number, end: number])[],
): Promise<number> {
  let lastId = ''
  let rows = 0
  for (const [first, end] of files) {
    const answer = await fetch(`${gateway.manageUrl}/settlement-files?name=${first}.csv`, {
      method: 'POST',
      headers: { ...manageHeaders, 'content-type': 'text/csv' },
      body: settlementFile(year, first, end),
    })
    const text = await answer.text()
    if (!answer.ok) throw new BenchError(`a settlement file was answered with ${answer.status}: ${text}`)
    const { id }: { id: string } = JSON.parse(text)
    lastId = id
    rows += end - first
  }
  // Files are read in the order of their arrival.
  await until('the gateway imports', async () => {
    const { state, fault } = await getJson<{ state: string; fault: unknown }>(gateway, `/settlement-files/${lastId}`)
    if (state === 'quarantined') throw new BenchError(`a settlement file is quarantined: ${JSON.stringify(fault)}`)
    return state === 'read'
  })
  return rows
}

/** The figures of an export. */
interface ExportFigures {
  readonly exporting: WorkFigures
  /** Resident memory of the gateway after a tenth of the export and at its end; null if it cannot be read. */
  readonly exportMb: { readonly early: number; readonly end: number } | null
}

/** Reads the reconciliation file of the year. @throws BenchError unless it has all rows */
export async function measureExport(gateway: BenchGateway, year: MoneyYear, rows: number): Promise<ExportFigures> {
  const residentMb = () => (usageOf(gateway.pid)?.residentBytes ?? Number.NaN) / 1e6
  let early = Number.NaN
  let end = Number.NaN
  const exporting = await measureWork(gateway.pid, async () => {
    let lines = -1
    for await (const chunk of exportOf(gateway, year)) {
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) lines += 1
      if (Number.isNaN(early) && lines * 10 >= rows) early = residentMb()
    }
    end = residentMb()
    if (lines !== rows) throw new BenchError(`the reconciliation file has ${lines} rows instead of ${rows}`)
    return lines
  })
  return { exporting, exportMb: Number.isNaN(end) ? null : { early: Math.round(early), end: Math.round(end) } }
}

const LF = 10

/** The chunks of the reconciliation file of the year. */
export async function* exportOf(gateway: BenchGateway, year: MoneyYear): AsyncGenerator<Uint8Array> {
  const days = `from=${settledOn(year, year.firstNumber)}&to=${settledOn(year, year.count - 1)}`
  const answer = await fetch(`${gateway.manageUrl}/reconciliation-records/${year.merchant}?${days}`, {
    headers: manageHeaders,
  })
  if (!answer.ok || !answer.body) throw new BenchError(`the reconciliation file was answered with ${answer.status}`)
  yield* answer.body
}

/** The times of reads of the ledger, without load. */
export async function measurePages(gateway: BenchGateway, year: MoneyYear) {
  const dayText = (number: number) => settledOn(year, number)
  const days = `from=${dayText(year.firstNumber)}&to=${dayText(year.count - 1)}&entityId=${year.merchant}`
  const month = dayText(Math.floor((year.firstNumber + year.count) / 2)).slice(0, 7)
  const medianMs = async (path: string, accept: string) => {
    const times: number[] = []
    for (let read = 0; read < limits.moneyReads; read += 1) {
      const startedMs = performance.now()
      await getText(gateway, path, accept)
      times.push(performance.now() - startedMs)
    }
    return median(times)
  }
  return {
    statementMs: await medianMs(`/statements/${year.merchant}/${month}`, 'text/html'),
    totalsMs: await medianMs(`/totals?${days}`, 'application/json'),
    analyticsMs: await medianMs(`/analytics?${days}&by=brand`, 'application/json'),
  }
}
