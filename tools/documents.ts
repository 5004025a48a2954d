/**
 * The generated documents below docs. Most of the reference is generated from packages/contract; its pages on
 * throttling, operations of payment methods and the payment page from packages/gateway; the guide to settlement files
 * from packages/settlement-files; the guide to test data from packages/connectors and packages/simulators. The
 * documents are committed, and a check compares them with newly generated ones. The released OpenAPI document is kept
 * beside them, so that incompatible changes are detected.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeSimulator } from '@tollgate/connectors'
import { breakingChanges, type OpenApi, openapi, referencePages } from '@tollgate/contract'
import { describeMethodOperations, describePaymentPage, describeThrottling } from '@tollgate/gateway'
import { describeFormats } from '@tollgate/settlement-files'
import { describeAcquirer } from '@tollgate/simulators'

/** The released document of version 1, below the folder of the documents. */
export const RELEASED = 'reference/released/openapi-v1.json'

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

let generated: Readonly<Record<string, string>> | undefined

/** The text of every generated file except the released document, by its path below docs. */
const files = (): Readonly<Record<string, string>> => (generated ??= generate())

const generate = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(referencePages()).map(([name, text]) => [`reference/${name}`, text])),
  'reference/openapi.json': toJson(openapi()),
  'reference/method-operations.md': describeMethodOperations(),
  'reference/payment-page.md': describePaymentPage(),
  'reference/throttling.md': describeThrottling(),
  'guides/settlement-files.md': describeFormats(),
  'guides/test-data.md': `${describeSimulator()}\n${describeAcquirer()}`,
})

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Writes the documents; returns their paths. */
export const writeDocuments = (folder: string): readonly string[] =>
  Object.entries(files()).map(([path, text]) => {
    write(folder, path, text)
    return path
  })

/** Paths of documents that are missing or outdated. */
export const staleDocuments = (folder: string): readonly string[] =>
  Object.entries(files())
    .filter(([path, text]) => !existsSync(join(folder, path)) || readFileSync(join(folder, path), 'utf8') !== text)
    .map(([path]) => path)

/** Changes that would break clients of the released document; none without a released document. */
export const findBreakingChanges = (folder: string): readonly string[] => {
  const path = join(folder, RELEASED)
  if (!existsSync(path)) return []
  const released: OpenApi = JSON.parse(readFileSync(path, 'utf8'))
  return breakingChanges(released, openapi())
}

/**
 * Writes the released document. If it would break clients of the previous one, nothing is written, and the breaking
 * changes are returned.
 */
export const releaseDocuments = (folder: string): readonly string[] => {
  const changes = findBreakingChanges(folder)
  if (changes.length === 0) write(folder, RELEASED, toJson(openapi()))
  return changes
}
