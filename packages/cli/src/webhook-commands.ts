import type { Command } from 'commander'
import { manage } from './manage-client.ts'
import { query, seconds } from './options.ts'
import { print } from './print.ts'

// Commands on a running gateway: each is one call of its management API, and prints the answer.

interface WebhookOptions {
  readonly entity?: string
  readonly url?: string
  readonly type?: string[]
  readonly filter?: string
  readonly wrapper?: string
  readonly disable?: true
}

interface ReplayOptions {
  readonly event?: string[]
  readonly from?: string
  readonly to?: string
  readonly next?: string
}

/** `tollgate webhook list | show | create | change | test | rotate | replay | delete`: a key is printed once. */
export function webhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('endpoints that receive the events of payments and registrations')
  const path = (id: string, more = '') => `/webhooks/${encodeURIComponent(id)}${more}`
  webhook
    .command('list')
    .description('all webhooks, or those of an entity')
    .option('--entity <id>')
    .action((options: { entity?: string }) => print(manage('GET', `/webhooks${query({ entityId: options.entity })}`)))
  webhook
    .command('show <id>')
    .description('one of them')
    .action((id: string) => print(manage('GET', path(id))))
  settingsOf(
    webhook
      .command('create')
      .description('adds one; it receives no events before a test delivery has passed')
      .requiredOption('--entity <id>', 'the channel, merchant, division or psp whose events it receives')
      .requiredOption('--url <url>'),
  ).action((options: WebhookOptions) => print(manage('POST', '/webhooks', bodyOf(options))))
  settingsOf(webhook.command('change <id>').option('--url <url>').option('--disable', 'stop sending it events'))
    .description('an active one moves to another address once a test delivery to it has passed')
    .action((id: string, options: WebhookOptions) => print(manage('PATCH', path(id), bodyOf(options))))
  webhook
    .command('test <id>')
    .description('sends a test delivery; when it passes, the webhook is active, and a new key is used from then on')
    .option('--overlap <seconds>', 'how long the key before goes on signing; a day unless given', seconds('--overlap'))
    .action((id: string, options: { overlap?: number }) =>
      print(manage('POST', path(id, '/test'), { overlapSeconds: options.overlap })),
    )
  webhook
    .command('rotate <id>')
    .description('makes a new key, which waits for a test delivery')
    .action((id: string) => print(manage('POST', path(id, '/keys'))))
  webhook
    .command('replay <id>')
    .description('sends it past events again, by their ids or by their time')
    .option('--event <id...>')
    .option('--from <time>', 'such as 2026-05-04T00:00:00Z')
    .option('--to <time>')
    .option('--next <id>', 'where the replay before it ended')
    .action((id: string, { event, ...range }: ReplayOptions) =>
      print(manage('POST', path(id, '/replay'), { eventIds: event, ...range })),
    )
  webhook
    .command('delete <id>')
    .description('removes it and erases its keys')
    .action((id: string) => print(manage('DELETE', path(id))))
}

/** `tollgate delivery list | show | retry | park`: pending, delivered and dead-lettered deliveries of webhooks. */
export function deliveryCommands(program: Command): void {
  const delivery = program.command('delivery').description('deliveries of events to webhooks')
  delivery
    .command('list')
    .description('the newest first')
    .option('--webhook <id>')
    .option('--state <state>', 'waiting, delivered or parked')
    .option('--before <id>', 'the next page: what the last one has as next')
    .action((options: { webhook?: string; state?: string; before?: string }) =>
      print(
        manage(
          'GET',
          `/deliveries${query({ webhookId: options.webhook, state: options.state, before: options.before })}`,
        ),
      ),
    )
  const path = (id: string, more = '') => `/deliveries/${encodeURIComponent(id)}${more}`
  delivery
    .command('show <id>')
    .description('one of them, with every attempt')
    .action((id: string) => print(manage('GET', path(id))))
  delivery
    .command('retry <id>')
    .description('sends it again now')
    .action((id: string) => print(manage('POST', path(id, '/retry'))))
  delivery
    .command('park <id>')
    .description('stops its attempts until it is retried')
    .action((id: string) => print(manage('POST', path(id, '/park'))))
}

const settingsOf = (command: Command): Command =>
  command
    .option('--type <type...>', 'PAYMENT, REGISTRATION; both unless given')
    .option('--filter <filter>', 'ALL, or NON_CUSTOMER_DATA for nothing of the customer')
    .option('--wrapper <wrapper>', 'text: the body is hex digits; json: they are a member of an object')

const bodyOf = ({ entity, url, type, filter, wrapper, disable }: WebhookOptions): object => ({
  entityId: entity,
  url,
  types: type,
  fieldFilter: filter,
  wrapper,
  state: disable && 'disabled',
})
