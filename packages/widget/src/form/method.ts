import { allowedOnly, type Pair } from '../shared/parameters.ts'
import { browserParameters } from './browser.ts'
import { element } from './dom.ts'
import type { Field, FrameField } from './field.ts'
import { resultUrl } from './navigate.ts'
import { option, warnOnce } from './options.ts'
import type { Widget } from './widget.ts'

/** What makes one way to pay out of the fields of its form. */
export interface MethodParts {
  /** Classes without `container-`: `card`, `directDebit-DIRECTDEBIT_SEPA`. */
  readonly kinds: readonly string[]
  /** What screen readers call the form. */
  readonly name: string
  readonly children: readonly Node[]
  readonly fields: readonly Field[]
  /** The frame that posts the parameters, if a part of the account is in a frame. */
  readonly frame?: FrameField
  /** Parameters beyond those of the named inputs. */
  readonly parameters: () => readonly Pair[]
  readonly button: string
  /** The page's form: the shop's result URL and additional parameters. */
  readonly shop: HTMLFormElement
}

/** One drawn way to pay. */
export interface Method extends MethodParts {
  readonly root: HTMLElement
  readonly form: HTMLFormElement
  readonly send: () => readonly Pair[]
  /** Shows an alert, announced at once, and a status, announced when the screen reader is idle. */
  readonly say: (alert: string, status?: string, ...more: readonly Node[]) => void
  /** Closed: the button has no effect. Waiting: this method's payment is in progress. */
  readonly close: (closed: boolean, waiting?: boolean) => void
  /** Shown on the button, and as text to screen readers only: a visible line would shift the page. */
  readonly wait: (loading: boolean) => void
}

const textPairs = (form: HTMLFormElement): readonly Pair[] =>
  Array.from(new FormData(form)).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))

/** @param begin begins to pay with it */
export function drawMethod(widget: Widget, parts: MethodParts, begin: (method: Method) => void): Method {
  const { checkout, text } = widget
  const { kinds, name, children, shop, parameters } = parts
  const alert = element('div', 'message', { role: 'alert' })
  const status = element('div', 'status', { role: 'status' })
  const button = element('button', 'button button-pay', { type: 'submit' }, parts.button)
  // Shown once, however many ways to pay the page has.
  const isTest = checkout.environment === 'test' && !document.querySelector('.wpwl-test-mode')
  const test = isTest ? [element('div', 'test-mode', {}, text('testMode'))] : []
  const form = element(
    'form',
    ['form', ...kinds.map((kind) => `form-${kind}`)].join(' '),
    { novalidate: '', 'aria-label': name },
    ...children,
    alert,
    element('div', 'group group-submit', {}, button),
    status,
    ...test,
  )
  const root = element(
    'div',
    ['container', `style-${option('style')}`, ...kinds.map((kind) => `container-${kind}`)].join(' '),
    { lang: checkout.tag, dir: checkout.direction },
    form,
  )
  const method: Method = {
    ...parts,
    root,
    form,
    send() {
      const pairs = [
        ...textPairs(form),
        ...textPairs(shop),
        ...parameters(),
        ...browserParameters(form.clientWidth),
        ['shopperResultUrl', resultUrl(shop)] as const,
      ]
      const sent = allowedOnly(pairs)
      const names = new Set(sent.map(([one]) => one))
      const dropped = pairs.filter(([one, value]) => value !== '' && !names.has(one))
      for (const [one] of dropped) warnOnce(`the field ${one}`, 'is not sent: pages may not set it, or it is too long')
      return sent
    },
    say(alerted, stated = '', ...more) {
      alert.replaceChildren(...(alerted === '' ? [] : [alerted, ...more]))
      status.textContent = stated
    },
    close(closed, waiting = false) {
      // Not `disabled`, which would remove the focus.
      button.setAttribute('aria-disabled', String(closed))
      form.classList.toggle('wpwl-busy', waiting)
    },
    wait(loading) {
      form.classList.toggle('wpwl-loading', loading)
      status.textContent = loading ? text('loading') : ''
    },
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    begin(method)
  })
  return method
}
