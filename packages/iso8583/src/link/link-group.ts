import type { Fields, Message } from '../field.ts'
import type { Link, LinkOutcome } from './link.ts'

/** Several links to one host. */
export interface LinkGroup<F extends Fields> {
  readonly links: readonly Link<F>[]
  readonly isReady: () => boolean
  /** Sends a request on the ready link with the fewest requests that wait; a request is never sent on a second link. */
  readonly send: (message: Message<F>) => Promise<LinkOutcome<F>>
  readonly close: () => Promise<void>
}

/** Joins links to one host. If a link is lost, requests are sent on the others. */
export function joinLinks<F extends Fields>(links: readonly Link<F>[]): LinkGroup<F> {
  function leastBusy(): Link<F> | undefined {
    let found: Link<F> | undefined
    for (const link of links)
      if (link.isReady() && (found === undefined || link.waiting() < found.waiting())) found = link
    return found
  }
  return {
    links,
    isReady: () => links.some((link) => link.isReady()),
    send(message) {
      const link = leastBusy()
      return link?.send(message) ?? Promise.resolve({ kind: 'notSent', reason: 'no link to the host is up' })
    },
    close: async () => void (await Promise.all(links.map((link) => link.close()))),
  }
}
