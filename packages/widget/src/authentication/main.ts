// The page on which a shopper is authenticated, in a window of its own or in an iframe of the payment form. It runs the
// issuer's 3DS method, requests the next step, and redirects to the page of the issuer or to the shop.
import { authenticationEnded } from '@tollgate/contract'
import { browserParameters } from '../form/browser.ts'
import { element } from '../form/dom.ts'
import { limits } from '../limits.ts'

/** Message to this page from the frame of the issuer's 3DS method: the method is complete. */
const METHOD_COMPLETED = 'methodCompleted'

interface Step {
  readonly next: 'challenge' | 'wait' | 'over'
  readonly url: string
  readonly creq?: string
}

const { body } = document
const { step = '', url: returnUrl = '', method: methodUrl = '', methodData = '' } = body.dataset

/** Posts fields to an address, in this window or in a frame. */
function post(action: string, fields: Readonly<Record<string, string>>, target = '_self'): void {
  const inputs = Object.entries(fields).map(([name, value]) => element('input', '', { type: 'hidden', name, value }))
  const form = element('form', '', { method: 'post', action, target, hidden: '' }, ...inputs)
  body.append(form)
  form.submit()
}

/** Adds a frame to the page. */
function addFrame(name: string, title: string): HTMLIFrameElement {
  const frame = element('iframe', '', { name, title })
  body.append(frame)
  return frame
}

/** Runs the 3DS method: Y completed, N timed out, U not available. */
function runMethod(): Promise<'Y' | 'N' | 'U'> {
  if (methodUrl === '') return Promise.resolve('U')
  const frame = addFrame('threeDSMethod', '')
  frame.hidden = true
  return new Promise((resolve) => {
    const timeout = setTimeout(() => resolve('N'), limits.threeDSMethodMs)
    addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== frame.contentWindow || origin !== location.origin || data !== METHOD_COMPLETED) return
      clearTimeout(timeout)
      resolve('Y')
    })
    post(methodUrl, { threeDSMethodData: methodData }, frame.name)
  })
}

/** Returns to the shop. In a frame, reports the end to the surrounding payment form, which continues. */
function leave(address: string): void {
  if (parent === window) location.replace(address)
  else parent.postMessage(authenticationEnded, '*')
}

/**
 * Opens the issuer's page in this window. If this page is in a frame of a shop's page, the issuer's page opens in a
 * nested frame, because the shop's policy need not allow the origins of all issuers.
 */
function showChallenge(address: string, creq: string): void {
  if (parent === window) return post(address, { creq })
  const frame = addFrame('challenge', document.title)
  body.className = 'challenged'
  addEventListener('message', ({ source, origin }) => {
    if (source === frame.contentWindow && origin === location.origin) leave('')
  })
  post(address, { creq }, frame.name)
  frame.focus()
}

async function begin(): Promise<void> {
  const methodOutcome = await runMethod()
  const answer = await fetch(`${location.pathname}/begin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ looked: methodOutcome, parameters: Object.fromEntries(browserParameters(innerWidth)) }),
  })
  const next: Step = await answer.json()
  if (next.next === 'wait') location.reload()
  else if (next.next === 'challenge' && next.creq !== undefined) showChallenge(next.url, next.creq)
  else leave(next.url)
}

/**
 * Waits until the authentication is over, or until the shopper returns to the shop or cancels. This page is shown while
 * the issuer contacts the shopper directly, and when the issuer's page cannot be shown again.
 */
async function wait(): Promise<void> {
  document.querySelector('button')?.addEventListener('click', () => void cancel().catch(showHint))
  const returned = new Promise<void>((resolve) =>
    document.querySelector('a')?.addEventListener('click', (event) => {
      event.preventDefault()
      resolve()
    }),
  )
  await Promise.race([returned, untilEnded()])
  leave(returnUrl)
}

async function cancel(): Promise<void> {
  const answer = await fetch(`${location.pathname}/cancel`, { method: 'POST' })
  if (answer.ok) leave(returnUrl)
  else showHint()
}

/** Shows that the outcome is not known yet. */
function showHint(): void {
  const [text] = document.querySelectorAll<HTMLElement>('[data-failed]')
  if (text) text.hidden = false
}

/** Resolves when the authentication has ended. The timeout of the gateway ends every authentication. */
async function untilEnded(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, limits.authenticationPollMs))
  while (await isOpen())
}

/** Whether the authentication is still open; true if the gateway cannot be reached or answers with an error. */
async function isOpen(): Promise<boolean> {
  try {
    const page = await fetch(location.pathname, { signal: AbortSignal.timeout(limits.authenticationPollMs) })
    return !page.ok || (await page.text()).includes(`data-step="${step}"`)
  } catch {
    return true
  }
}

const steps: Readonly<Record<string, () => unknown>> = {
  begin: () => begin().catch(showHint),
  methodCompleted: () => parent.postMessage(METHOD_COMPLETED, location.origin),
  over: () => leave(returnUrl),
  wait,
  interrupted: wait,
}

// If the browser's Back button restores this page from the cache, a reload shows the current step, because a challenge
// cannot be started again.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
steps[step]?.()
