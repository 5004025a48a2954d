/**
 * The reference documents below docs/reference: made from packages/contract, committed, and held equal to it. The
 * document that was released stands beside them, so that no later one can break its clients unnoticed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { breakingChanges, type OpenApi, openapi, referencePages } from '@tollgate/contract'

/** The released document of version 1, below the folder of the reference documents. */
export const RELEASED = 'released/openapi-v1.json'

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

/** Every generated file by its path below the folder, the released one aside. */
const files = (): Readonly<Record<string, string>> => ({ ...referencePages(), 'openapi.json': json(openapi()) })

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Writes the reference documents; returns their paths. */
export const writeReference = (folder: string): readonly string[] =>
  Object.entries(files()).map(([path, text]) => {
    write(folder, path, text)
    return path
  })

/** Paths of documents that are missing or not what the contract says today. */
export const staleReference = (folder: string): readonly string[] =>
  Object.entries(files())
    .filter(([path, text]) => !existsSync(join(folder, path)) || readFileSync(join(folder, path), 'utf8') !== text)
    .map(([path]) => path)

/** What would break clients of the released document; nothing while there is none. */
export const breakingReference = (folder: string): readonly string[] => {
  const path = join(folder, RELEASED)
  if (!existsSync(path)) return []
  const released: OpenApi = JSON.parse(readFileSync(path, 'utf8'))
  return breakingChanges(released, openapi())
}

/** Writes the released document. It is refused where it would break the one before: those changes are returned. */
export const releaseReference = (folder: string): readonly string[] => {
  const changes = breakingReference(folder)
  if (changes.length === 0) write(folder, RELEASED, json(openapi()))
  return changes
}
