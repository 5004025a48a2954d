/**
 * npm run generate: writes the generated documents below docs. --check: writes nothing; lists outdated documents and
 * changes that break clients of the released version, and exits with 1 if there are any. --release: also writes the
 * released document or, if that would break clients of the previous one, lists the changes and exits with 1. To begin a
 * new version, delete the released document by hand first.
 */
import { join } from 'node:path'
import { findBreakingChanges, RELEASED, releaseDocuments, staleDocuments, writeDocuments } from './documents.ts'

const folder = join(import.meta.dirname, '../../docs')
const [option = '', ...furtherArguments] = process.argv.slice(2)

const print = (lines: readonly string[]): void => {
  for (const line of lines) process.stdout.write(`${line}\n`)
}

const check = (): number => {
  const stale = staleDocuments(folder).map((path) => `stale: docs/${path}; run npm run generate`)
  const breaking = findBreakingChanges(folder).map((change) => `breaks version 1: ${change}`)
  print([...stale, ...breaking])
  return stale.length + breaking.length === 0 ? 0 : 1
}

const generate = (): number => {
  print(writeDocuments(folder).map((path) => `docs/${path}`))
  return 0
}

const release = (): number => {
  generate()
  const breaking = releaseDocuments(folder)
  print(breaking.map((change) => `breaks version 1: ${change}`))
  if (breaking.length > 0) return 1
  print([`docs/${RELEASED}`])
  return 0
}

const usage = (): number => {
  print(['usage: node tools/dist/generate.js [--check | --release]'])
  return 2
}

const tasks: Readonly<Record<string, () => number>> = { '': generate, '--check': check, '--release': release }
const task = furtherArguments.length === 0 && Object.hasOwn(tasks, option) ? tasks[option] : undefined
process.exitCode = (task ?? usage)()
