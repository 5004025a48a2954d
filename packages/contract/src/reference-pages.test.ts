import { expect, test } from 'vitest'
import { brands } from './brands.ts'
import { recordColumns } from './reconciliation-record.ts'
import { referencePages } from './reference-pages.ts'
import { languages } from './languages.ts'
import { operations, servedOperations } from './operations.ts'
import { eventFields, responseFields } from './responses.ts'
import { resultCodes } from './result-codes.ts'
import { sections } from './sections.ts'
import { transactionTypes } from './transaction-types.ts'
import { widgetTextKeys } from './widget-texts/keys.ts'

const pages = referencePages()
const missing = (page: string, names: readonly string[]) =>
  names.filter((name) => pages[page]?.includes(`\`${name}\``) !== true)

test.each<[page: string, entry: string, names: readonly string[]]>([
  ['parameters.md', 'parameter of the contract', sections.flatMap(({ rows }) => rows.map(({ name }) => name))],
  [
    'parameters.md',
    'served operation',
    servedOperations.map((name) => `${operations[name].method} ${operations[name].path}`),
  ],
  ['responses.md', 'field of payments', responseFields.fields.map(({ name }) => name)],
  ['events.md', 'field of events', eventFields.fields.map(({ name }) => name)],
  ['result-codes.md', 'result code', Object.keys(resultCodes)],
  ['brands.md', 'brand', Object.keys(brands)],
  ['transaction-types.md', 'transaction type', Object.keys(transactionTypes)],
  ['reconciliation.md', 'column of the reconciliation record', recordColumns.map(({ name }) => name)],
  ['widget-texts.md', 'language and key', [...Object.keys(languages), ...widgetTextKeys]],
])('%s lists every %s', (page, _, names) => {
  expect(names.length).toBeGreaterThan(0)
  expect(missing(page, names)).toEqual([])
})

test.each(Object.entries(pages))(
  '%s has equally long rows in each table, no undefined value and a final newline',
  (_, text) => {
    const tables = text.split('\n\n').filter((part) => part.startsWith('| '))
    const widths = tables.map((part) => new Set(part.split('\n').map((row) => row.split(/(?<!\\)\|/).length)))
    expect(tables.length).toBeGreaterThan(0)
    expect(widths.filter((each) => each.size !== 1)).toEqual([])
    expect(text.endsWith('\n')).toBe(true)
    expect(text).not.toContain('undefined')
  },
)
