import { readFileSync } from 'node:fs'
import type { Command, Option } from 'commander'
import { addCalls, call, type ManageCall, option, type Parameters, required, seconds } from './manage-call.ts'
import { CommandError } from './manage-client.ts'

interface Group {
  readonly name: string
  readonly about: string
  readonly calls: readonly ManageCall[]
}

const changedWebhook: Parameters = {
  types: option('--type <type...>', 'PAYMENT, REGISTRATION; both unless given'),
  fieldFilter: option('--filter <filter>', 'ALL, or NON_CUSTOMER_DATA for nothing of the customer'),
  wrapper: option('--wrapper <wrapper>', 'text: the body is hex digits; json: they are a member of an object'),
}

const RULES = '/entities/:entity/risk-rules'

/** The commands on a running gateway, but those of keys. */
const groups: readonly Group[] = [
  {
    name: 'entity',
    about: 'psps, divisions, merchants and channels of a running gateway',
    calls: [
      call('list', 'GET', '/entities', 'all of them, or those of a kind or below another', {
        kind: option('--kind <kind>', 'psp, division, merchant or channel'),
        parentId: option('--parent <id>', 'only those directly below this entity'),
      }),
      call('show <id>', 'GET', '/entities/:id', 'one of them, with its settings'),
      call('create <kind>', 'POST', '/entities', 'a psp, or a division, merchant or channel below another entity', {
        name: required('--name <name>'),
        parentId: option('--parent <id>', 'the entity it belongs to'),
        settings: settings('settings; the others are inherited'),
      }),
      call('change <id>', 'PATCH', '/entities/:id', 'gives it another name or other settings', {
        name: option('--name <name>'),
        settings: settings('settings to set; others stay as they are'),
      }),
    ],
  },
  {
    name: 'channel',
    about: 'channels of a running gateway: where payments are taken',
    calls: [
      call('list', 'GET', '/entities', 'all of them, or those of a merchant', {
        kind: 'channel',
        parentId: option('--merchant <id>', 'only those of this merchant'),
      }),
      call('create', 'POST', '/entities', 'a channel of a merchant', {
        kind: 'channel',
        parentId: required('--merchant <id>', 'the merchant it belongs to'),
        name: required('--name <name>'),
        settings: settings('settings; the others are inherited'),
      }),
    ],
  },
  {
    name: 'token',
    about: 'access tokens of a running gateway',
    calls: [
      call('list', 'GET', '/tokens', 'all of them, or those of an entity, without the tokens themselves', {
        entityId: option('--entity <id>', 'only those of this entity'),
      }),
      call('create', 'POST', '/tokens', 'prints a new token, once and never again', {
        entityId: required('--entity <id>', 'the entity whose subtree the token reaches'),
        rights: option('--right <right...>', 'what it may do beyond what every token may: chargeback, system'),
        lifetimeSeconds: seconds('--lifetime <seconds>', 'how long it is valid; for ever unless given'),
      }),
      call('rotate <id>', 'POST', '/tokens/:id/rotate', 'prints a new token that takes the place of another', {
        overlapSeconds: seconds('--overlap <seconds>', 'how long the old token stays valid; a day unless given'),
      }),
      call('revoke <id>', 'DELETE', '/tokens/:id', 'ends a token at once'),
    ],
  },
  {
    name: 'risk',
    about: 'risk rules of a running gateway',
    calls: [
      call('show <entity>', 'GET', RULES, 'the rules that apply to it, and the entity that defines them'),
      {
        ...call('set <entity> <file>', 'PUT', RULES, 'replaces the rules of the entity by those of a JSON file'),
        readBody: rulesIn,
      },
      call('unset <entity>', 'DELETE', RULES, 'removes them; the rules of the entity above apply again'),
    ],
  },
  {
    name: 'account',
    about: 'accounts that payments and registrations were made with',
    calls: [call('show <id>', 'GET', '/accounts/:id', 'by the id of a payment or registration')],
  },
  {
    name: 'webhook',
    about: 'endpoints that receive the events of payments and registrations',
    calls: [
      call('list', 'GET', '/webhooks', 'all webhooks, or those of an entity', { entityId: option('--entity <id>') }),
      call('show <id>', 'GET', '/webhooks/:id', 'one of them'),
      call('create', 'POST', '/webhooks', 'adds one; it receives no events before a test delivery has passed', {
        entityId: required('--entity <id>', 'the channel, merchant, division or psp whose events it receives'),
        url: required('--url <url>'),
        ...changedWebhook,
      }),
      call(
        'change <id>',
        'PATCH',
        '/webhooks/:id',
        'an active one moves to another address once a test delivery to it has passed',
        {
          url: option('--url <url>'),
          state: option('--disable', 'stop sending it events').preset('disabled'),
          ...changedWebhook,
        },
      ),
      call(
        'test <id>',
        'POST',
        '/webhooks/:id/test',
        'sends a test delivery; when it passes, the webhook is active, and a new key is used from then on',
        {
          overlapSeconds: seconds('--overlap <seconds>', 'how long the key before goes on signing; a day unless given'),
        },
      ),
      call('rotate <id>', 'POST', '/webhooks/:id/keys', 'makes a new key, which waits for a test delivery'),
      call('replay <id>', 'POST', '/webhooks/:id/replay', 'sends it past events again, by their ids or by their time', {
        eventIds: option('--event <id...>'),
        from: option('--from <time>', 'such as 2026-05-04T00:00:00Z'),
        to: option('--to <time>'),
        next: option('--next <id>', 'where the replay before it ended'),
      }),
      call('delete <id>', 'DELETE', '/webhooks/:id', 'removes it and erases its keys'),
    ],
  },
  {
    name: 'delivery',
    about: 'deliveries of events to webhooks',
    calls: [
      call('list', 'GET', '/deliveries', 'the newest first', {
        webhookId: option('--webhook <id>'),
        state: option('--state <state>', 'waiting, delivered or parked'),
        before: option('--before <id>', 'the next page: what the last one has as next'),
      }),
      call('show <id>', 'GET', '/deliveries/:id', 'one of them, with every attempt'),
      call('retry <id>', 'POST', '/deliveries/:id/retry', 'sends it again now'),
      call('park <id>', 'POST', '/deliveries/:id/park', 'stops its attempts until it is retried'),
    ],
  },
]

/** Adds the commands on a running gateway: each is one call of its management API. */
export function manageCommands(program: Command): void {
  for (const { name, about, calls } of groups) addCalls(program.command(name).description(about), calls)
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

function settings(about: string): Option {
  return option('--settings <json>', about).argParser((text): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      throw new CommandError('--settings must be JSON, such as {"brands":["VISA"]}')
    }
  })
}
