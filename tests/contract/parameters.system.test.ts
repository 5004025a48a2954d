import { checkForm, decodeForm, operations, type ParameterError, sections } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { type MinimalForm, minimalForm, type Parameters, sentFor } from './minimal-form.ts'
import { type Row, rows, type Sample, samplesFor } from './samples.ts'

const documented = rows()

/** Checks the form with the parameters `added`, and returns the errors. */
function errorsOf({ operation, parameters }: MinimalForm, added: Parameters = {}): readonly ParameterError[] {
  const body = new URLSearchParams({ ...parameters, ...added }).toString()
  const form = decodeForm(new TextEncoder().encode(body), operations[operation].surface)
  try {
    return checkForm(form, operation, { compatibility: 'strict' })
  } finally {
    form.wipe()
  }
}

const isRefused = (row: Row, sample: Sample): boolean =>
  errorsOf(minimalForm(row), sentFor(row, sample)).some((error) => error.name === sample.name)

test('the product has exactly the parameters of the contract document', () => {
  const defined = sections.flatMap((section) => section.rows.map(({ name }) => `${section.surface} ${name}`))
  expect(defined.toSorted()).toEqual(documented.map(({ surface, name }) => `${surface} ${name}`).toSorted())
  console.log(`parameters: ${documented.length} names, ${documented.flatMap(samplesFor).length} samples`)
})

test('the product requires, conditionally requires or allows each parameter as the contract document does', () => {
  const needs = sections.flatMap((section) =>
    section.rows.map(({ name, need }) => `${section.surface} ${name} ${need}`),
  )
  expect(needs.toSorted()).toEqual(documented.map(({ surface, name, need }) => `${surface} ${name} ${need}`).toSorted())
})

test('the forms to which samples are added are valid', () => {
  expect(new Set(documented.map(minimalForm)).size).toBeGreaterThan(1)
  for (const form of new Set(documented.map(minimalForm))) expect([form, errorsOf(form)]).toEqual([form, []])
})

test.each(documented.map((row) => [`${row.surface} ${row.name}`, row] as const))(
  '%s: values at its bounds are accepted; values just past them are refused with an error of its name',
  (_, row) => {
    expect(samplesFor(row).filter((sample) => isRefused(row, sample) === sample.isValid)).toEqual([])
  },
)
