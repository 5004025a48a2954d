import { InvariantError } from '@tollgate/contract'
import { StorageError } from '@tollgate/storage'
import { VaultError } from '@tollgate/vault'
import { limits } from './limits.ts'
import type { LogFields } from './log.ts'

/**
 * The fields of a log line for any thrown value: its class, its stack frames, and the members of our own error classes
 * that are constants or ids. Every other message and property may quote a client, and is omitted.
 */
export const errorFields = (error: unknown): LogFields & { readonly error: string } =>
  error instanceof Error
    ? {
        error: Reflect.getPrototypeOf(error)?.constructor.name ?? '',
        ...constantsOf(error),
        stack: framePositions(error),
      }
    : { error: typeof error }

function constantsOf(error: Error): LogFields {
  if (error instanceof StorageError) return { kind: error.kind }
  if (error instanceof VaultError) return { fault: error.fault }
  if (!(error instanceof InvariantError)) return {}
  const { message, recordId = '' } = error
  return { message, ...(ID.test(recordId) && { recordId }) }
}

/** The format of the ids that `Ids` generates. */
const ID = /^[0-9a-f]{32}$/

/** `file:line:column` of each frame, the innermost first. */
function framePositions({ message, stack = '' }: Error): string {
  const messageStart = stack.indexOf(message)
  // The message was changed after the stack was captured, so the end of the message in the stack is unknown.
  if (messageStart < 0) return ''
  const positions = stack
    .slice(messageStart + message.length)
    .split('\n')
    .flatMap((line) => FRAME.exec(line)?.groups?.['place'] ?? [])
  return positions.slice(0, limits.stackFramesMax).join(' ')
}

/**
 * A stack frame, without the folders above our packages and dependencies. A position with seven digits in a row is
 * left out: it may be the rest of a message that was changed, and may contain a card number.
 */
const FRAME =
  /^ +at (?:.*[ (])?(?:[\w@.+/:-]*\/(?=packages\/|node_modules\/))?(?<place>(?!.*\d{7})[\w@.+/:-]+:\d{1,6}:\d{1,6})\)?$/
