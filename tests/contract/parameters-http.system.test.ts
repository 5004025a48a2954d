import { type OperationName, operations, servedOperations } from '@tollgate/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bodyOf, inParallel } from '../support/http.ts'
import { authorization, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { type MinimalForm, minimalForm, minimalCardPayment, type Parameters, sentFor } from './minimal-form.ts'
import { type Row, rows, type Sample, samplesFor } from './samples.ts'

let gateway: GatewayProcess

beforeEach(async () => {
  gateway = await startGateway({ data: temporaryFolder() })
})
afterEach(cleanUp)

/**
 * The form in which a row is tested over HTTP: the form of its own operation if the operation has a route, else of a
 * payment if a payment accepts the parameter.
 */
function servedForm(row: Row): MinimalForm | undefined {
  const form = minimalForm(row)
  if (isServed(form.operation)) return form
  const isRefused = Object.hasOwn(operations.createPayment.refused, row.name)
  return row.surface === 'payment' && !isRefused ? minimalCardPayment : undefined
}

const served: readonly OperationName[] = servedOperations
const isServed = (operation: OperationName): boolean => served.includes(operation)

/** Sends the form with the parameters `added`, and returns the names of the invalid parameters in the answer. */
async function fetchInvalidNames(
  { operation, parameters }: MinimalForm,
  added: Parameters,
): Promise<readonly string[]> {
  const { method, path } = operations[operation]
  const form = { ...parameters, ...added }
  const request =
    method === 'POST'
      ? post(path, form)
      : { method, path: `${path}?${String(new URLSearchParams(form))}`, headers: authorization }
  const answer = await gateway.client.send(request)
  // An unknown but well-formed entityId, or a plan for an unknown registration, is refused with another status.
  expect([200, 400, 403, 404]).toContain(answer.status)
  const { result } = bodyOf(answer)
  const names = (result.parameterErrors ?? []).map(({ name }) => name)
  expect(result.code === '200.300.404').toBe(names.length > 0)
  return names
}

test('over HTTP, values at every bound pass, and the refusal of values just past it names the parameter', async () => {
  const rowsWithForms = rows().map((row) => ({ row, form: servedForm(row) }))
  const tested = rowsWithForms.flatMap(({ row, form }) =>
    form ? samplesFor(row).map((sample) => ({ row, form, sample })) : [],
  )
  const mismatches: (Sample & Pick<Row, 'source'>)[] = []
  await inParallel(tested, 32, async ({ row, form, sample }) => {
    const isRefused = (await fetchInvalidNames(form, sentFor(row, sample))).includes(sample.name)
    if (isRefused === sample.isValid) mismatches.push({ ...sample, source: row.source })
  })
  expect(mismatches).toEqual([])

  const unserved = rowsWithForms.filter(({ form }) => !form).map(({ row }) => row)
  console.log(`over HTTP: ${rowsWithForms.length - unserved.length} parameters, ${tested.length} values`)
  console.log(`without a route: ${unserved.map(({ surface, name }) => `${surface} ${name}`).join(', ')}`)
  // Every parameter of payments must be tested, except overridePaymentType: only checkout creation accepts it.
  const missing = unserved.filter(({ surface, name }) => surface === 'payment' && name !== 'overridePaymentType[brand]')
  expect(missing).toEqual([])
})
