import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf, readDocument } from './examples.ts'

const root = join(import.meta.dirname, '../../..')
const guide = 'docs/guides/add-a-connector.md'

describe('the guide to connectors', () => {
  test('names files and folders of the repository', () => {
    const paths = Array.from(readDocument(guide).matchAll(/`([a-z][\w.-]*(?:\/[\w.-]+)+)`/g), ([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  const commands = blocksOf(guide).flatMap((block) => block.split('\n'))

  test('shows commands for the tests of the example', () => {
    expect(commands.map((command) => command.split(' ')[3])).toEqual([
      'tests/connectors/json-acquirer.system.test.ts',
      'tests/connectors/json-acquirer.system.test.ts',
      'tools/tidy.test.ts',
    ])
  })

  // The suite itself runs these files, so the test only compares the commands with them.
  test.each(commands)('shows a command that runs tests: %s', (command) => {
    const [, path = '', pattern] = /^npm test -- (\S+\.test\.ts)(?: -t "([^"]+)")?$/.exec(command) ?? []
    expect(existsSync(join(root, path))).toBe(true)
    if (pattern !== undefined) expect(titlesOfConnectorSuite()).toContainEqual(expect.stringContaining(pattern))
  })
})

/** The titles of the tests that every connector passes. */
function titlesOfConnectorSuite(): readonly string[] {
  const folder = join(root, 'packages/connectors/src/testing')
  return readdirSync(folder)
    .filter((name) => name.endsWith('-tests.ts'))
    .flatMap((name) => Array.from(readFileSync(join(folder, name), 'utf8').matchAll(/\btest\b.*?\('(.*?)'/g)))
    .map(([, title = '']) => title)
}
