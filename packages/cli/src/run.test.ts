import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from './run.ts'

const commandsByPath = (command: Command, path = ''): (readonly [path: string, command: Command])[] =>
  command.commands.flatMap((subcommand) => [
    [`${path}${subcommand.name()}`, subcommand] as const,
    ...commandsByPath(subcommand, `${path}${subcommand.name()} `),
  ])

test('every command has a description', () => {
  const commands = commandsByPath(createProgram())
  expect(commands.map(([path]) => path)).toEqual(expect.arrayContaining(['serve', 'key', 'key rotate']))
  expect(commands.filter(([, command]) => command.description() === '').map(([path]) => path)).toEqual([])
})
