import { readFileSync } from 'node:fs'
import type { Command, Option } from 'commander'
import {
  addCalls,
  call,
  type ManageCall,
  option,
  type Parameters,
  requiredOption,
  secondsOption,
} from './manage-call.ts'
import { CommandError } from './manage-client.ts'

interface Group {
  readonly name: string
  readonly description: string
  readonly calls: readonly ManageCall[]
}

const webhookParameters: Parameters = {
  types: option('--type <type...>', 'PAYMENT, REGISTRATION; both by default'),
  fieldFilter: option('--filter <filter>', 'ALL, or NON_CUSTOMER_DATA to leave out data of customers'),
  wrapper: option('--wrapper <wrapper>', 'text: the body is hexadecimal digits; json: an object contains them'),
}

const RULES = '/entities/:entity/risk-rules'
const ROUTES = '/entities/:entity/routes'

/** The commands on a running gateway, except those on keys. */
const groups: readonly Group[] = [
  {
    name: 'entity',
    description: 'psps, divisions, merchants and channels of a running gateway',
    calls: [
      call('list', 'GET', '/entities', 'list all entities, or those of one kind or below one entity', {
        kind: option('--kind <kind>', 'psp, division, merchant or channel'),
        parentId: option('--parent <id>', 'only those directly below this entity'),
      }),
      call('show <id>', 'GET', '/entities/:id', 'show an entity with its settings'),
      call(
        'create <kind>',
        'POST',
        '/entities',
        'create a psp, or a division, merchant or channel below another entity',
        {
          name: requiredOption('--name <name>'),
          parentId: option('--parent <id>', 'the entity directly above the new one'),
          settings: settingsOption('settings; settings that are left out are inherited'),
        },
      ),
      call('change <id>', 'PATCH', '/entities/:id', 'change the name or settings of an entity', {
        name: option('--name <name>'),
        settings: settingsOption('settings to change; settings that are left out stay unchanged'),
      }),
    ],
  },
  {
    name: 'channel',
    description: 'channels of a running gateway, which accept payments',
    calls: [
      call('list', 'GET', '/entities', 'list all channels, or those of a merchant', {
        kind: 'channel',
        parentId: option('--merchant <id>', 'only those of this merchant'),
      }),
      call('create', 'POST', '/entities', 'create a channel of a merchant', {
        kind: 'channel',
        parentId: requiredOption('--merchant <id>', 'the merchant of the channel'),
        name: requiredOption('--name <name>'),
        settings: settingsOption('settings; settings that are left out are inherited'),
      }),
    ],
  },
  {
    name: 'token',
    description: 'access tokens of a running gateway',
    calls: [
      call('list', 'GET', '/tokens', 'list all tokens, or those of an entity, without their values', {
        entityId: option('--entity <id>', 'only those of this entity'),
      }),
      call('create', 'POST', '/tokens', 'create a token and print it; it is never shown again', {
        entityId: requiredOption(
          '--entity <id>',
          'the entity to which the token gives access, with all entities below it',
        ),
        rights: option('--right <right...>', 'additional rights: chargeback, system'),
        lifetimeSeconds: secondsOption('--lifetime <seconds>', 'lifetime of the token; unlimited by default'),
      }),
      call('rotate <id>', 'POST', '/tokens/:id/rotate', 'replace a token and print the new one', {
        overlapSeconds: secondsOption('--overlap <seconds>', 'how long the old token stays valid; a day by default'),
      }),
      call('revoke <id>', 'DELETE', '/tokens/:id', 'revoke a token immediately'),
    ],
  },
  {
    name: 'risk',
    description: 'risk rules of a running gateway',
    calls: [
      call('show <entity>', 'GET', RULES, 'show the rules that apply to an entity, and the entity that defines them'),
      {
        ...call('set <entity> <file>', 'PUT', RULES, 'replace the rules of an entity by those in a JSON file'),
        readBody: jsonObjectIn('{"rules":[]}'),
      },
      call('unset <entity>', 'DELETE', RULES, 'remove the rules of an entity; those of the entity above apply again'),
    ],
  },
  {
    name: 'connector',
    description: 'accounts at acquirers and providers, to which routes lead payments',
    calls: [
      call('list', 'GET', '/connectors', 'list all connectors, without their credentials'),
      call('show <name>', 'GET', '/connectors/:name', 'show a connector with its settings'),
      {
        ...call('create <file>', 'POST', '/connectors', 'create the connector that a JSON file describes'),
        readBody: jsonObjectIn('{"name":"acme","kind":"iso8583","settings":{}}'),
      },
      {
        ...call('change <name> <file>', 'PATCH', '/connectors/:name', 'replace the settings by those in a JSON file'),
        readBody: jsonObjectIn('{"settings":{}}'),
      },
      {
        ...call(
          'rotate <name> <file>',
          'POST',
          '/connectors/:name/credentials',
          'replace the credentials by those in a JSON file; they are never shown',
        ),
        readBody: jsonObjectIn('{"credentials":{}}'),
      },
      call('enable <name>', 'PATCH', '/connectors/:name', 'let routes lead payments to a connector', {
        state: 'enabled',
      }),
      call('disable <name>', 'PATCH', '/connectors/:name', 'let a connector process only follow-ups of its payments', {
        state: 'disabled',
      }),
      call('delete <name>', 'DELETE', '/connectors/:name', 'delete a connector and erase its credentials'),
    ],
  },
  {
    name: 'route',
    description: 'routes, which lead payments to connectors',
    calls: [
      call('list', 'GET', '/routes', 'list the routes of all entities'),
      call('show <entity>', 'GET', ROUTES, 'show the routes that apply to an entity, and the entity that defines them'),
      {
        ...call('set <entity> <file>', 'PUT', ROUTES, 'replace the routes of an entity by those in a JSON file'),
        readBody: jsonObjectIn('{"routes":[]}'),
      },
      call('unset <entity>', 'DELETE', ROUTES, 'remove the routes of an entity; those of the entity above apply again'),
      call('test <entity>', 'POST', `${ROUTES}/test`, 'show the connectors of a payment without sending it', {
        paymentBrand: requiredOption('--brand <brand>', 'such as VISA'),
        amount: option('--amount <amount>', 'such as 92.00'),
        currency: option('--currency <currency>', 'such as EUR'),
        country: option('--country <country>', 'the country of the billing address, such as DE'),
        bin: option('--bin <digits>', 'the first digits of the card number, up to eight'),
        method: option('--method <method>', 'card, tokenAccount, …; that of the brand by default'),
        testMode: option('--test-mode <mode>', 'INTERNAL or EXTERNAL; INTERNAL by default'),
      }),
    ],
  },
  {
    name: 'account',
    description: 'cards and other accounts of payments and registrations',
    calls: [call('show <id>', 'GET', '/accounts/:id', 'show the account of a payment or registration, by its id')],
  },
  {
    name: 'payment',
    description: 'payments, their amounts, and their requests to acquirers',
    calls: [
      call('show <id>', 'GET', '/payments/:id', 'show a payment with its state, amounts and transactions'),
      call(
        'attempts <id>',
        'GET',
        '/payments/:id/attempts',
        'show the route of a payment and its messages to acquirers',
      ),
    ],
  },
  {
    name: 'job',
    description: 'dead-lettered work, such as messages that an acquirer does not process',
    calls: [
      call('list', 'GET', '/jobs/parked', 'list dead-lettered jobs with their errors', {
        before: option('--before <id>', 'the next page: value of `next` from the page before'),
      }),
      call('show <id>', 'GET', '/jobs/:id', 'show a job'),
      call('retry <id>', 'POST', '/jobs/:id/retry', 'run a job again now'),
      call('park <id>', 'POST', '/jobs/:id/park', 'dead-letter a job'),
      call('approve <id>', 'POST', '/jobs/:id/close', 'close a message that the acquirer has confirmed as approved', {
        as: 'approved',
        reference: requiredOption('--reference <reference>', "the acquirer's reference of the approval"),
        reason: requiredOption(
          '--reason <text>',
          'for the audit log, such as who confirmed it; no data of the shopper',
        ),
      }),
      call('decline <id>', 'POST', '/jobs/:id/close', 'close a message that the acquirer has not carried out', {
        as: 'declined',
        reason: requiredOption(
          '--reason <text>',
          'for the audit log, such as who confirmed it; no data of the shopper',
        ),
      }),
    ],
  },
  {
    name: 'webhook',
    description: 'endpoints that receive the events of payments and registrations',
    calls: [
      call('list', 'GET', '/webhooks', 'list all webhooks, or those of an entity', {
        entityId: option('--entity <id>'),
      }),
      call('show <id>', 'GET', '/webhooks/:id', 'show a webhook'),
      call('create', 'POST', '/webhooks', 'create a webhook; it receives events once a test has succeeded', {
        entityId: requiredOption('--entity <id>', 'the channel, merchant, division or psp whose events it receives'),
        url: requiredOption('--url <url>'),
        ...webhookParameters,
      }),
      call(
        'change <id>',
        'PATCH',
        '/webhooks/:id',
        'change a webhook; an active webhook gets a new address only if a test of it succeeds',
        {
          url: option('--url <url>'),
          state: option('--disable', 'send no more events to the webhook').preset('disabled'),
          ...webhookParameters,
        },
      ),
      call(
        'test <id>',
        'POST',
        '/webhooks/:id/test',
        'send a test delivery; if it succeeds, the webhook is active and uses its newest key',
        {
          overlapSeconds: secondsOption(
            '--overlap <seconds>',
            'how long the previous key also signs; a day by default',
          ),
        },
      ),
      call('rotate <id>', 'POST', '/webhooks/:id/keys', 'create a new key, which is used once a test has succeeded'),
      call('replay <id>', 'POST', '/webhooks/:id/replay', 'send past events again, by their ids or by time', {
        eventIds: option('--event <id...>'),
        from: option('--from <time>', 'such as 2026-05-04T00:00:00Z'),
        to: option('--to <time>'),
        next: option('--next <id>', 'value of `next` from the previous replay'),
      }),
      call('delete <id>', 'DELETE', '/webhooks/:id', 'delete a webhook and erase its keys'),
    ],
  },
  {
    name: 'delivery',
    description: 'deliveries of events to webhooks',
    calls: [
      call('list', 'GET', '/deliveries', 'list deliveries, the newest first', {
        webhookId: option('--webhook <id>'),
        state: option('--state <state>', 'waiting, delivered or parked'),
        before: option('--before <id>', 'the next page: value of `next` from the page before'),
      }),
      call('show <id>', 'GET', '/deliveries/:id', 'show a delivery with all its attempts'),
      call('retry <id>', 'POST', '/deliveries/:id/retry', 'send a delivery again now'),
      call('park <id>', 'POST', '/deliveries/:id/park', 'stop the attempts of a delivery until it is retried'),
    ],
  },
]

/** Adds the commands on a running gateway. Each command makes one call of its management API. */
export function addManageCommands(program: Command): void {
  for (const { name, description, calls } of groups) addCalls(program.command(name).description(description), calls)
}

/** Creates the reader of a file with a JSON object, such as the example. */
function jsonObjectIn(example: string): (file: string) => object {
  return (file) => {
    try {
      const body: unknown = JSON.parse(readFileSync(file, 'utf8'))
      if (typeof body === 'object' && body !== null) return body
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw new CommandError(`${file} cannot be read`)
    }
    throw new CommandError(`${file} must hold a JSON object, such as ${example}`)
  }
}

function settingsOption(description: string): Option {
  return option('--settings <json>', description).argParser((text): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      throw new CommandError('--settings must be JSON, such as {"brands":["VISA"]}')
    }
  })
}
