import { allowedOnly, type Pair } from '../shared/parameters.ts'
import { browserParameters } from './browser.ts'
import { element } from './dom.ts'
import type { Field, FrameField } from './field.ts'
import { resultUrl } from './navigate.ts'
import { option, warnOnce } from './options.ts'
import type { Widget } from './widget.ts'

/** The parts of a payment method, by which its form is drawn. */
export interface MethodParts {
  /** Classes without `container-`: `card`, `directDebit-DIRECTDEBIT_SEPA`. */
  readonly kinds: readonly string[]
  /** The accessible name of the form. */
  readonly name: string
  readonly children: readonly Node[]
  readonly fields: readonly Field[]
  /** The frame that posts the parameters, if a part of the account is in a frame. */
  readonly frame?: FrameField
  /** Parameters beyond those of the named inputs. */
  readonly parameters: () => readonly Pair[]
  readonly button: string
  /** The page's form: the shop's result URL and additional parameters. */
  readonly pageForm: HTMLFormElement
}

/** A drawn payment method. */
export interface Method extends MethodParts {
  readonly root: HTMLElement
  readonly form: HTMLFormElement
  readonly send: () => readonly Pair[]
  /** Shows an alert, announced at once, and a status, announced when the screen reader is idle. */
  readonly announce: (alert: string, status?: string, ...more: readonly Node[]) => void
  /** Closed: the button has no effect. Waiting: this method's payment is in progress. */
  readonly close: (closed: boolean, waiting?: boolean) => void
  /**
   * Shows on the button that the method is loading, and as text to screen readers only, because a visible line would
   * shift the page.
   */
  readonly wait: (loading: boolean) => void
}

const textPairs = (form: HTMLFormElement): readonly Pair[] =>
  Array.from(new FormData(form)).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))

/** @param begin starts a payment with the method */
export function drawMethod(widget: Widget, parts: MethodParts, begin: (method: Method) => void): Method {
  const { checkout, text } = widget
  const { kinds, name, children, pageForm, parameters } = parts
  const alert = element('div', 'message', { role: 'alert' })
  const status = element('div', 'status', { role: 'status' })
  const button = element('button', 'button button-pay', { type: 'submit' }, parts.button)
  // Shown once in the page, for any number of payment methods.
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
        ...textPairs(pageForm),
        ...parameters(),
        ...browserParameters(form.clientWidth),
        ['shopperResultUrl', resultUrl(pageForm)] as const,
      ]
      const sent = allowedOnly(pairs)
      const names = new Set(sent.map(([one]) => one))
      const dropped = pairs.filter(([one, value]) => value !== '' && !names.has(one))
      for (const [one] of dropped) warnOnce(`the field ${one}`, 'is not sent: pages may not set it, or it is too long')
      return sent
    },
    announce(alertText, statusText = '', ...more) {
      alert.replaceChildren(...(alertText === '' ? [] : [alertText, ...more]))
      status.textContent = statusText
    },
    close(closed, waiting = false) {
      // The attribute is not `disabled`, because that would remove the focus.
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
