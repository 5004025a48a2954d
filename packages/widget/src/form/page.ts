import { element } from './dom.ts'
import type { Method } from './method.ts'
import { complain, option } from './options.ts'
import { textsOf, type Widget } from './widget.ts'

/** What of the merchant's page is ours: its forms, and what is drawn before them. */
interface Page {
  readonly forms: HTMLFormElement[]
  readonly methods: Method[]
  /** What is drawn of the methods, from the outside. */
  readonly drawn: HTMLElement[]
  text: Widget['text']
  /** Of the texts. */
  tag: string
  direction: string
  /** The policy of the page, or something like it, keeps the form from working. */
  blocked: boolean
}

export const page: Page = {
  forms: [],
  methods: [],
  drawn: [],
  // English, before the service has sent its texts.
  text: textsOf({
    blocked: 'The payment form cannot be shown because this page’s security policy blocks it.',
    offline: 'You are offline. Check your connection.',
  }),
  tag: 'en',
  direction: 'ltr',
  blocked: false,
}

const notices: HTMLElement[] = []
let hidden: readonly HTMLElement[] = []

/**
 * Shows what is drawn, or hides it while something else is said in its place. What was not shown before stays hidden.
 *
 * @returns whether the focus was in it
 */
export function showForms(shown: boolean): boolean {
  const focused = page.drawn.some((one) => one.contains(document.activeElement))
  for (const one of hidden) one.hidden = false
  hidden = shown ? [] : page.drawn.filter((one) => !one.hidden)
  for (const one of hidden) one.hidden = true
  return focused
}

/** Says something in the place of the forms, or nothing any more. */
export function notice(said: string, ...more: readonly Node[]): void {
  for (const place of notices.splice(0)) place.remove()
  if (said === '') return
  for (const form of page.forms) {
    const message = element('div', 'message', { role: 'alert' }, said, ...more)
    const place = element('div', `container style-${option('style')}`, { lang: page.tag, dir: page.direction }, message)
    form.before(place)
    notices.push(place)
  }
}

/** @param reason what the page's developer should do about it */
export function block(reason: string): void {
  complain('WidgetError', reason)
  page.blocked = true
  const said = page.text('blocked')
  for (const { close, say } of page.methods) {
    close(true)
    say(said)
  }
  if (page.methods.length === 0) notice(said)
}

/** Without styles or logos the form still works: that is for the page's developer alone. */
export function watchPolicy(base: string): void {
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
    if (!blockedURI.startsWith(new URL(base).origin)) return
    const reason = `the page's Content-Security-Policy blocks ${blockedURI}: allow it in ${effectiveDirective}`
    if (/^(?:frame|child|connect)-src/.test(effectiveDirective)) block(reason)
    else complain('WidgetError', reason)
  })
}
