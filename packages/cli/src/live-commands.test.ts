import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from './run.ts'

/** Every command: whether it has a use in the live environment, or why not. */
const commandsInLive: Readonly<Record<string, 'yes' | { readonly reason: string }>> = {
  'account show': 'yes',
  archive: 'yes',
  backup: 'yes',
  'channel create': 'yes',
  'channel list': 'yes',
  check: 'yes',
  'connector change': 'yes',
  'connector create': 'yes',
  'connector delete': 'yes',
  'connector disable': 'yes',
  'connector enable': 'yes',
  'connector list': 'yes',
  'connector rotate': 'yes',
  'connector show': 'yes',
  'delivery list': 'yes',
  'delivery park': 'yes',
  'delivery retry': 'yes',
  'delivery show': 'yes',
  doctor: 'yes',
  'entity change': 'yes',
  'entity create': 'yes',
  'entity list': 'yes',
  'entity show': 'yes',
  'job approve': 'yes',
  'job decline': 'yes',
  'job list': 'yes',
  'job park': 'yes',
  'job retry': 'yes',
  'job show': 'yes',
  'key generate': 'yes',
  'key retire': 'yes',
  'key rotate': 'yes',
  'key status': 'yes',
  migrate: 'yes',
  'payment attempts': 'yes',
  'payment show': 'yes',
  restore: 'yes',
  'risk set': 'yes',
  'risk show': 'yes',
  'risk unset': 'yes',
  'route list': 'yes',
  'route set': 'yes',
  'route show': 'yes',
  'route test': 'yes',
  'route unset': 'yes',
  serve: 'yes',
  simulate: { reason: 'a process of its own, whose address no setting of live can name' },
  'token create': 'yes',
  'token list': 'yes',
  'token revoke': 'yes',
  'token rotate': 'yes',
  'webhook change': 'yes',
  'webhook create': 'yes',
  'webhook delete': 'yes',
  'webhook list': 'yes',
  'webhook replay': 'yes',
  'webhook rotate': 'yes',
  'webhook show': 'yes',
  'webhook test': 'yes',
}

/** Options for the test environment, and why they reach no simulator in live. */
const testOptions: Readonly<Record<string, string>> = {
  'route test --test-mode': 'the management API of live refuses it with 400',
}

const leavesOf = (command: Command, path: readonly string[] = []): (readonly [path: string, command: Command])[] =>
  command.commands.flatMap((subcommand) => {
    const name = [...path, subcommand.name()]
    return subcommand.commands.length > 0 ? leavesOf(subcommand, name) : [[name.join(' '), subcommand] as const]
  })

const leaves = leavesOf(createProgram())

test('the table lists every command', () => {
  expect(leaves.map(([path]) => path).toSorted()).toEqual(Object.keys(commandsInLive).toSorted())
})

test('the table lists every option about tests, simulators and the clock of commands that live uses', () => {
  const options = leaves
    .filter(([path]) => commandsInLive[path] === 'yes')
    .flatMap(([path, { options: all }]) => all.map(({ long }) => `${path} ${long}`))
  expect(options.length).toBeGreaterThan(20)
  const ofTests = options.filter((option) => /--.*(test|simulat|sandbox|fake|force|clock|advance)/.test(option))
  expect(ofTests.toSorted()).toEqual(Object.keys(testOptions).toSorted())
})
