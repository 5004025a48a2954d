import { authenticationIsOver, type WidgetRedirect } from '@tollgate/contract'
import { challengeWindowFor } from './browser.ts'
import { element } from './dom.ts'
import { newId } from './field.ts'
import type { Method } from './method.ts'
import { go } from './navigate.ts'
import type { Widget } from './widget.ts'

/** Whether a frame of ours says that the bank has seen enough of the shopper. Any other window may say so in vain. */
const isOver = ({ origin, source, data }: MessageEvent<unknown>, base: string, frame: HTMLIFrameElement): boolean =>
  origin === new URL(base).origin &&
  source === frame.contentWindow &&
  typeof data === 'object' &&
  data !== null &&
  'kind' in data &&
  data.kind === authenticationIsOver.kind

/** Shows the bank's page in the form's place, in a window of the size that the bank was told, until it is over. */
export function authenticate({ base, text }: Widget, { root, form }: Method, redirect: WidgetRedirect): Promise<void> {
  const { width, height } = challengeWindowFor(form.clientWidth)
  const title = element('h2', 'authentication-title', { id: newId() }, text('authenticationTitle'))
  const frame = element('iframe', 'authentication-frame', {
    title: text('authenticationTitle'),
    name: newId(),
    width: String(width),
    height: String(height),
    allow: 'payment; publickey-credentials-get',
  })
  const panel = element(
    'section',
    'authentication',
    { role: 'dialog', 'aria-labelledby': title.id },
    title,
    element('p', 'status', { role: 'status' }, text('authenticating')),
    frame,
  )
  form.hidden = true
  root.append(panel)
  go(redirect, frame.name)
  frame.focus()
  return new Promise((resolve) => {
    addEventListener('message', function hear(event: MessageEvent<unknown>) {
      if (!isOver(event, base, frame)) return
      removeEventListener('message', hear)
      panel.remove()
      form.hidden = false
      resolve()
    })
  })
}
