import { authenticationEnded, type WidgetRedirect } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { challengeWindowFor } from './browser.ts'
import { element } from './dom.ts'
import { newId } from './field.ts'
import type { Method } from './method.ts'
import { navigate } from './navigate.ts'
import type { Widget } from './widget.ts'

/**
 * The reason for which the bank's page closes: the authentication has ended, or the shopper restarts it or chooses
 * another payment method.
 */
type ClosingReason = 'ended' | 'restarted' | 'cancelled'

/** Whether a message reports the end of the authentication. Its sender must be the gateway's page in this frame. */
const isOver = ({ origin, source, data }: MessageEvent<unknown>, base: string, frame: HTMLIFrameElement): boolean =>
  origin === new URL(base).origin &&
  source === frame.contentWindow &&
  typeof data === 'object' &&
  data !== null &&
  'kind' in data &&
  data.kind === authenticationEnded.kind

/**
 * Shows the bank's page in the place of the form, in the window size of the authentication request, until the
 * authentication ends or the shopper leaves it. Browsers do not report that a page of another origin failed to load, so
 * the shopper can start the authentication again after a delay, and as soon as the connection is lost.
 */
export async function authenticate(
  { base, text, signal: unloaded }: Widget,
  { root, form }: Method,
  redirect: WidgetRedirect,
): Promise<ClosingReason> {
  const { width, height } = challengeWindowFor(form.clientWidth)
  const title = element('h2', 'authentication-title', { id: newId() }, text('authenticationTitle'))
  const frame = element('iframe', 'authentication-frame', {
    title: text('authenticationTitle'),
    name: newId(),
    width: String(width),
    height: String(height),
    allow: 'payment; publickey-credentials-get',
  })
  const restartButton = element('button', 'button button-other', { type: 'button' }, text('tryAgainButton'))
  const otherMethodButton = element('button', 'button button-other', { type: 'button' }, text('otherMethod'))
  const help = element('p', 'authentication-help', { role: 'status' })
  const panel = element(
    'section',
    'authentication',
    { role: 'dialog', 'aria-labelledby': title.id },
    title,
    element('p', 'status', { role: 'status' }, text('authenticating')),
    frame,
    help,
    otherMethodButton,
  )
  const closed = new AbortController()
  const { signal } = closed
  unloaded.addEventListener('abort', () => closed.abort(), { signal })
  const offerHelp = (): void => {
    help.textContent = text('challengeHelp')
    otherMethodButton.before(restartButton)
  }
  const helpTimer = setTimeout(offerHelp, limits.challengeHelpMs)
  form.hidden = true
  root.append(panel)
  navigate(redirect, frame.name)
  frame.focus()
  const reason = await new Promise<ClosingReason>((resolve) => {
    const receive = (event: MessageEvent<unknown>): void => {
      if (isOver(event, base, frame)) resolve('ended')
    }
    addEventListener('message', receive, { signal })
    addEventListener('offline', offerHelp, { signal })
    restartButton.addEventListener('click', () => resolve('restarted'))
    otherMethodButton.addEventListener('click', () => resolve('cancelled'))
  })
  clearTimeout(helpTimer)
  closed.abort()
  panel.remove()
  form.hidden = false
  return reason
}
