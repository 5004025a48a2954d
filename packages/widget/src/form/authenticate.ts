import { authenticationEnded, type WidgetRedirect } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { challengeWindowFor } from './browser.ts'
import { element } from './dom.ts'
import { newId } from './field.ts'
import type { Method } from './method.ts'
import { go } from './navigate.ts'
import type { Widget } from './widget.ts'

/**
 * The end of the bank's page: the authentication has ended (over), or the shopper starts it again or pays another way.
 */
type AuthenticationEnd = 'over' | 'again' | 'cancelled'

/** Whether a message ends the authentication. Only the gateway's page in this frame is accepted as its sender. */
const isOver = ({ origin, source, data }: MessageEvent<unknown>, base: string, frame: HTMLIFrameElement): boolean =>
  origin === new URL(base).origin &&
  source === frame.contentWindow &&
  typeof data === 'object' &&
  data !== null &&
  'kind' in data &&
  data.kind === authenticationEnded.kind

/**
 * Shows the bank's page in the place of the form, in the window size of the authentication request, until the
 * authentication ends or the shopper leaves it. Browsers do not report a page of another origin that failed to load:
 * after a delay, and as soon as the connection is lost, the shopper can start again.
 */
export async function authenticate(
  { base, text, signal: unloaded }: Widget,
  { root, form }: Method,
  redirect: WidgetRedirect,
): Promise<AuthenticationEnd> {
  const { width, height } = challengeWindowFor(form.clientWidth)
  const title = element('h2', 'authentication-title', { id: newId() }, text('authenticationTitle'))
  const frame = element('iframe', 'authentication-frame', {
    title: text('authenticationTitle'),
    name: newId(),
    width: String(width),
    height: String(height),
    allow: 'payment; publickey-credentials-get',
  })
  const again = element('button', 'button button-other', { type: 'button' }, text('tryAgainButton'))
  const change = element('button', 'button button-other', { type: 'button' }, text('otherMethod'))
  const help = element('p', 'authentication-help', { role: 'status' })
  const panel = element(
    'section',
    'authentication',
    { role: 'dialog', 'aria-labelledby': title.id },
    title,
    element('p', 'status', { role: 'status' }, text('authenticating')),
    frame,
    help,
    change,
  )
  const done = new AbortController()
  const { signal } = done
  unloaded.addEventListener('abort', () => done.abort(), { signal })
  const offerHelp = (): void => {
    help.textContent = text('challengeHelp')
    change.before(again)
  }
  const helpTimer = setTimeout(offerHelp, limits.challengeHelpMs)
  form.hidden = true
  root.append(panel)
  go(redirect, frame.name)
  frame.focus()
  const end = await new Promise<AuthenticationEnd>((resolve) => {
    const receive = (event: MessageEvent<unknown>): void => {
      if (isOver(event, base, frame)) resolve('over')
    }
    addEventListener('message', receive, { signal })
    addEventListener('offline', offerHelp, { signal })
    again.addEventListener('click', () => resolve('again'))
    change.addEventListener('click', () => resolve('cancelled'))
  })
  clearTimeout(helpTimer)
  done.abort()
  panel.remove()
  form.hidden = false
  return end
}
