import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { CommandError, manage } from './manage-client.ts'
import { query, seconds } from './options.ts'
import { print } from './print.ts'

// Commands on a running gateway: each is one call of its management API, and prints the answer.

interface EntityOptions {
  readonly name?: string
  readonly parent?: string
  readonly settings?: string
}

/** `tollgate entity list | show | create | change` */
export function entityCommands(program: Command): void {
  const entity = program.command('entity').description('psps, divisions, merchants and channels of a running gateway')
  entity
    .command('list')
    .description('all of them, or those of a kind or below another')
    .option('--kind <kind>', 'psp, division, merchant or channel')
    .option('--parent <id>', 'only those directly below this entity')
    .action((options: { kind?: string; parent?: string }) =>
      print(manage('GET', `/entities${query({ kind: options.kind, parentId: options.parent })}`)),
    )
  entity
    .command('show <id>')
    .description('one of them, with its settings')
    .action((id: string) => print(manage('GET', `/entities/${encodeURIComponent(id)}`)))
  entity
    .command('create <kind>')
    .description('a psp, or a division, merchant or channel below another entity')
    .requiredOption('--name <name>')
    .option('--parent <id>', 'the entity it belongs to')
    .option('--settings <json>', 'settings; the others are inherited')
    .action((kind: string, options: EntityOptions) => print(manage('POST', '/entities', entityBody(options, kind))))
  entity
    .command('change <id>')
    .description('gives it another name or other settings')
    .option('--name <name>')
    .option('--settings <json>', 'settings to set; others stay as they are')
    .action((id: string, options: EntityOptions) =>
      print(manage('PATCH', `/entities/${encodeURIComponent(id)}`, entityBody(options))),
    )
}

/** `tollgate channel list | create`: the entities where payments are taken. */
export function channelCommands(program: Command): void {
  const channel = program.command('channel').description('channels of a running gateway: where payments are taken')
  channel
    .command('list')
    .description('all of them, or those of a merchant')
    .option('--merchant <id>', 'only those of this merchant')
    .action((options: { merchant?: string }) =>
      print(manage('GET', `/entities${query({ kind: 'channel', parentId: options.merchant })}`)),
    )
  channel
    .command('create')
    .description('a channel of a merchant')
    .requiredOption('--merchant <id>', 'the merchant it belongs to')
    .requiredOption('--name <name>')
    .option('--settings <json>', 'settings; the others are inherited')
    .action((options: EntityOptions & { merchant: string }) =>
      print(manage('POST', '/entities', entityBody({ ...options, parent: options.merchant }, 'channel'))),
    )
}

/** `tollgate token list | create | rotate | revoke`: a token is printed once and never again. */
export function tokenCommands(program: Command): void {
  const token = program.command('token').description('access tokens of a running gateway')
  token
    .command('list')
    .description('all of them, or those of an entity, without the tokens themselves')
    .option('--entity <id>', 'only those of this entity')
    .action((options: { entity?: string }) => print(manage('GET', `/tokens${query({ entityId: options.entity })}`)))
  token
    .command('create')
    .description('prints a new token, once and never again')
    .requiredOption('--entity <id>', 'the entity whose subtree the token reaches')
    .option('--right <right...>', 'what it may do beyond what every token may: chargeback, system')
    .option('--lifetime <seconds>', 'how long it is valid; for ever unless given', seconds('--lifetime'))
    .action(({ entity, right, lifetime }: { entity: string; right?: string[]; lifetime?: number }) =>
      print(manage('POST', '/tokens', { entityId: entity, rights: right, lifetimeSeconds: lifetime })),
    )
  token
    .command('rotate <id>')
    .description('prints a new token that takes the place of another')
    .option('--overlap <seconds>', 'how long the old token stays valid; a day unless given', seconds('--overlap'))
    .action((id: string, options: { overlap?: number }) =>
      print(manage('POST', `/tokens/${encodeURIComponent(id)}/rotate`, { overlapSeconds: options.overlap })),
    )
  token
    .command('revoke <id>')
    .description('ends a token at once')
    .action((id: string) => print(manage('DELETE', `/tokens/${encodeURIComponent(id)}`)))
}

/** `tollgate risk show | set | unset`: the risk rules of an entity and of the entities below it. */
export function riskCommands(program: Command): void {
  const risk = program.command('risk').description('risk rules of a running gateway')
  const path = (entity: string) => `/entities/${encodeURIComponent(entity)}/risk-rules`
  risk
    .command('show <entity>')
    .description('the rules that apply to it, and the entity that defines them')
    .action((entity: string) => print(manage('GET', path(entity))))
  risk
    .command('set <entity> <file>')
    .description('replaces the rules of the entity by those of a JSON file')
    .action((entity: string, file: string) => print(manage('PUT', path(entity), rulesIn(file))))
  risk
    .command('unset <entity>')
    .description('removes them; the rules of the entity above apply again')
    .action((entity: string) => print(manage('DELETE', path(entity))))
}

/** `tollgate account show`: the identifiers of the account of a payment or registration, for entries of risk lists. */
export function accountCommands(program: Command): void {
  const account = program.command('account').description('accounts that payments and registrations were made with')
  account
    .command('show <id>')
    .description('by the id of a payment or registration')
    .action((id: string) => print(manage('GET', `/accounts/${encodeURIComponent(id)}`)))
}

function rulesIn(file: string): object {
  try {
    const rules: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof rules === 'object' && rules !== null) return rules
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw new CommandError(`${file} cannot be read`)
  }
  throw new CommandError(`${file} must hold a JSON object, such as {"rules":[]}`)
}

function entityBody({ name, parent, settings }: EntityOptions, kind?: string): object {
  return { kind, name, parentId: parent, settings: settings === undefined ? undefined : json(settings) }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError('--settings must be JSON, such as {"brands":["VISA"]}')
  }
}
