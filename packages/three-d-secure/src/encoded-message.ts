import { decodeBase64Url, encodeBase64Url } from './base64url.ts'
import type { Context } from './context.ts'
import { fault } from './fault.ts'
import { limits } from './limits.ts'
import type { MessageOf } from './messages/messages.ts'
import { type ReadResult, readMessage } from './read-message.ts'
import { writeMessage } from './write-message.ts'

/** Messages in a form field of a browser: `creq` and `cres`. */
type FormMessage = 'CReq' | 'CRes' | 'Erro'

/**
 * A message for a form field: base64url without padding.
 *
 * @throws as `writeMessage`
 */
export const encodeMessage = <Kind extends FormMessage>(
  kind: Kind,
  message: NoInfer<MessageOf<Kind>>,
  context: Context = {},
): string => encodeBase64Url(writeMessage(kind, message, context))

/** Reads the text of `encodeMessage`. A text that is too long or not base64url has fault 101; see `readMessage`. */
export function decodeMessage<Kind extends FormMessage>(
  kind: Kind,
  text: string,
  context: Context = {},
): ReadResult<Kind> {
  const bytes = decodeBase64Url(text, limits.encodedCharsMax)
  return bytes ? readMessage(kind, bytes, context) : { fault: fault('101', 'the message is not base64url') }
}
