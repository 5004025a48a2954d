import { type Aim, aims } from './aims.ts'
import type { MoneyReport } from './measure-money.ts'
import type { WorkFigures } from './measure-work.ts'
import { fixed, grouped, type Line, spreadText } from './text-table.ts'

/** The figures of a year of payments, a row for each storage and work. */
export function moneyLines(reports: readonly MoneyReport[]): Line[] {
  return [
    ['a year of one merchant', 'rows', 'per second', 'CPU µs each'],
    ...reports.flatMap(({ storage, posting, importing, exporting }) => [
      workLine(`${storage}: transactions posted`, posting),
      workLine(`${storage}: settled rows imported and matched`, importing),
      workLine(`${storage}: records exported`, exporting),
    ]),
  ]
}

const workLine = (name: string, { rows, perSecond, cpuUs }: WorkFigures): Line => [
  name,
  grouped(rows),
  fixed(perSecond, 0),
  cpuUs === null ? '-' : fixed(cpuUs, 1),
]

/** Memory, times of pages and the load, of each storage. */
export function moneyText(reports: readonly MoneyReport[]): string {
  const texts = reports.map(({ storage, exportMb, totalsMs, analyticsMs, load }) => {
    const memory = exportMb ? `${exportMb.early} MB after a tenth of the export, ${exportMb.end} MB at its end; ` : ''
    const { perSecond, aloneP99Ms, besideP99Ms, failures, importedRows, exportedBytes } = load
    return (
      `${storage}: ${memory}totals of the year ${fixed(totalsMs, 0)} ms, analytics ${fixed(analyticsMs, 0)} ms\n` +
      `  at ${grouped(perSecond.median)} payments/s, p99 ${spreadText(aloneP99Ms)} ms alone, ` +
      `${spreadText(besideP99Ms)} ms while ${grouped(importedRows)} rows are imported and ` +
      `${fixed(exportedBytes / 1e6, 0)} MB exported; ${grouped(failures)} failures`
    )
  })
  return texts.join('\n')
}

/** A figure with an aim. */
export interface AimedFigure {
  readonly name: string
  readonly value: number
  readonly digits: number
  readonly unit: string
  readonly aim: Aim
}

export const moneyAims = (reports: readonly MoneyReport[]): AimedFigure[] =>
  reports.flatMap(({ storage, posting, ledgerBytes, importing, exporting, exportMb, statementMs, load }) => {
    const figure = (name: string, value: number, digits: number, unit: string, aim: Aim): AimedFigure => ({
      name: `${name} on ${storage}`,
      value,
      digits,
      unit,
      aim,
    })
    return [
      figure('transactions posted/s', posting.perSecond, 0, '', aims.postedPerSecond),
      figure('bytes of the ledger for a payment', ledgerBytes, 0, '', aims.ledgerBytes),
      figure('settled rows imported and matched/s', importing.perSecond, 0, '', aims.importedPerSecond),
      figure('records exported/s', exporting.perSecond, 0, '', aims.exportedPerSecond),
      ...(exportMb
        ? [
            figure(
              'memory at the end of an export ÷ early',
              exportMb.end / exportMb.early,
              2,
              '',
              aims.exportMemoryRatio,
            ),
          ]
        : []),
      figure('page of a statement', statementMs, 0, ' ms', aims.statementMs),
      figure('p99 beside posting, import and export ÷ alone', load.ratio.median, 2, '', aims.moneyP99Ratio),
    ]
  })
