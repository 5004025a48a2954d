import { FaultError, type FaultReason, type Place } from '../file-fault.ts'
import { limits } from '../limits.ts'
import { createLines, type Lines } from '../lines.ts'
import { isOpen, offsetOfCell, splitCells } from './cells.ts'

/** A record of CSV. It has several lines if a quoted cell has line breaks. */
export interface CsvRecord {
  readonly text: string
  /** The number of its first line, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The fault of a record or, with an index, of one of its cells. */
export const csvFault = (record: Omit<CsvRecord, 'cells'>, reason: FaultReason, index = 0, name?: string): FaultError =>
  new FaultError(reason, placeIn(record, offsetOfCell(record.text, index)), name)

function placeIn({ text, line }: Omit<CsvRecord, 'cells'>, offset: number): Place {
  const before = text.slice(0, offset).split('\n')
  return { line: line + before.length - 1, column: (before.at(-1) ?? '').length + 1 }
}

/** Splits a text into records; lines that end within quotes are joined with the next ones. */
export function createCsvRecords(onRecord: (record: CsvRecord) => void): Lines {
  let open: { readonly lines: string[]; readonly line: number; chars: number } | undefined

  const pass = (text: string, line: number): void => {
    const cells = splitCells(text)
    if (typeof cells === 'number') throw new FaultError('QUOTE', placeIn({ text, line }, cells))
    onRecord({ text, line, cells })
  }

  const lines = createLines((text, line) => {
    const changesQuoting = isOpen(text)
    if (open === undefined) {
      if (changesQuoting) open = { lines: [text], line, chars: text.length }
      else pass(text, line)
      return
    }
    open.lines.push(text)
    open.chars += text.length + 1
    if (open.chars > limits.lineCharsMax) throw new FaultError('LINE_LENGTH', { line, column: 1 })
    if (!changesQuoting) return
    const record = open
    open = undefined
    pass(record.lines.join('\n'), record.line)
  })

  return {
    ...lines,
    end() {
      lines.end()
      if (open !== undefined) throw new FaultError('QUOTE', { line: open.line, column: 1 })
    },
  }
}
