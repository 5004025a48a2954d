import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
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

  // The second command runs the whole suite, which is a test of its own.
  test.each(commands.filter((_, index) => index !== 1))('shows a command that passes: %s', (command) => {
    const [, path = '', pattern] = /^npm test -- (\S+)(?: -t "([^"]+)")?$/.exec(command) ?? []
    const built = path.replace(/^(tests|tools)\//, '$1/dist/').replace(/ts$/, 'js')
    const options = pattern === undefined ? [] : ['-t', pattern]
    // The environment of this test would make the new process a worker of it.
    const env = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
    const output = execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', built, ...options], {
      cwd: root,
      env: Object.fromEntries(env),
      encoding: 'utf8',
    })
    expect(output).toMatch(/[1-9]\d* passed/)
  })
})
