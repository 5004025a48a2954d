import { expect, test } from 'vitest'
import { brands } from './brands.ts'
import { referencePages } from './describe.ts'
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

test.each<[string, readonly string[]]>([
  ['parameters.md', sections.flatMap(({ rows }) => rows.map(({ name }) => name))],
  ['parameters.md', servedOperations.map((name) => `${operations[name].method} ${operations[name].path}`)],
  ['responses.md', responseFields.fields.map(({ name }) => name)],
  ['events.md', eventFields.fields.map(({ name }) => name)],
  ['result-codes.md', Object.keys(resultCodes)],
  ['brands.md', Object.keys(brands)],
  ['transaction-types.md', Object.keys(transactionTypes)],
  ['widget-texts.md', [...Object.keys(languages), ...widgetTextKeys]],
])('%s lists every entry of its tables', (page, names) => {
  expect(names.length).toBeGreaterThan(0)
  expect(missing(page, names)).toEqual([])
})

test.each(Object.entries(pages))('the rows of every table in %s have the same number of cells', (_, text) => {
  const tables = text.split('\n\n').filter((part) => part.startsWith('| '))
  const widths = tables.map((part) => new Set(part.split('\n').map((row) => row.split(/(?<!\\)\|/).length)))
  expect(tables.length).toBeGreaterThan(0)
  expect(widths.filter((each) => each.size !== 1)).toEqual([])
  expect(text.endsWith('\n')).toBe(true)
  expect(text).not.toContain('undefined')
})
