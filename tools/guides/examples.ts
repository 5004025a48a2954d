import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

// Reads the examples of documents.

const root = join(import.meta.dirname, '../../..')
export const readDocument = (path: string) => readFileSync(join(root, path), 'utf8')

/** The shell blocks of a document, without their fences. */
export const blocksOf = (path: string) => shellIn(readDocument(path))

export const shellIn = (page: string) => Array.from(page.matchAll(/^```sh\n([^]*?)\n```$/gm), ([, block = '']) => block)

/** The JSON blocks of a page, parsed. */
export const jsonIn = (page: string): Record<string, unknown>[] =>
  Array.from(page.matchAll(/^```json\n([^]*?)\n```$/gm), ([, block = '']) => JSON.parse(block))

/** The gateway's address in all examples. */
export const SHOWN_URL = 'http://127.0.0.1:8080'

/** Converts a curl command to a path and options of fetch. It parses only the shell syntax that the pages use. */
export function requestOf(
  command: string,
  variables: ReadonlyMap<string, string>,
): { path: string; init: RequestInit } {
  const line = command.replaceAll(/ \\\n\s*/g, ' ').replaceAll(/\$([A-Z]+)/g, (_, name: string) => {
    const value = variables.get(name)
    if (value === undefined) throw new Error(`${name} is not set`)
    return value
  })
  const words = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')
  const isQuery = words.includes('-G')
  const [curl, url = '', ...options] = words.filter((word) => word !== '-G')
  const valuesOf = (option: string) => options.filter((_, index) => options[index - 1] === option)
  expect([curl, url.startsWith(SHOWN_URL), options.length % 2]).toEqual(['curl', true, 0])
  const splitOnce = (text: string, separator: string): [string, string] => {
    const [name = '', ...value] = text.split(separator)
    return [name, value.join(separator)]
  }
  const headers = valuesOf('-H').map((header) => splitOnce(header, ': '))
  const parameters = new URLSearchParams(valuesOf('-d').map((pair) => splitOnce(pair, '=')))
  const path = url.slice(SHOWN_URL.length)
  const init = { headers: Object.fromEntries(headers) }
  if (isQuery) return { path: `${path}?${parameters.toString()}`, init }
  return { path, init: parameters.size > 0 ? { ...init, method: 'POST', body: parameters } : init }
}
