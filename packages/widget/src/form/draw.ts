import type { WidgetBrand } from '@tollgate/contract'
import type { PaymentForm } from './payment-form.ts'
import { element } from './dom.ts'
import { drawMethod, type Method, type MethodParts } from './method.ts'
import { card, directDebit, redirected, registrations, type FrameCallbacks } from './methods.ts'
import { reportFailure, option } from './options.ts'
import { page, tryAgainButton } from './page.ts'
import { pay } from './pay.ts'
import { release } from './reserve.ts'

type Parts = Omit<MethodParts, 'pageForm'>

/** Draws the payment methods before each form of the page, in the order in which the page lists their brands. */
export function drawAll(paymentForm: PaymentForm): void {
  const { checkout } = paymentForm.widget
  release(page.forms)
  for (const pageForm of page.forms) {
    const stored = pageForm === page.forms[0] && checkout.registrations.length > 0
    const saved = stored
      ? [drawOne(paymentForm, pageForm, (callbacks) => registrations(paymentForm.widget, callbacks))]
      : []
    const otherMethods = partsOf(paymentForm, pageForm).map((createParts) =>
      drawOne(paymentForm, pageForm, createParts),
    )
    if (stored && option('registrations').hideInitialPaymentForms) hide(paymentForm, otherMethods)
    page.methods.push(...saved, ...otherMethods)
  }
}

/** Wallets and other synchronous brands without a form of the widget are not drawn. */
const isDrawn = (brand?: WidgetBrand): boolean =>
  brand?.kind === 'card' || brand?.kind === 'directDebit' || brand?.flow === 'async'

type CreateParts = (callbacks: FrameCallbacks) => Parts

function partsOf({ widget }: PaymentForm, pageForm: HTMLFormElement): readonly CreateParts[] {
  const { brands } = widget.checkout
  const requested = new Set(pageForm.dataset.brands?.match(/\S+/g))
  const codes = [...requested].filter((code) => Object.hasOwn(brands, code) && isDrawn(brands[code]))
  const unsupported = [...requested].filter((code) => !codes.includes(code))
  if (unsupported.length > 0)
    reportFailure(
      'WidgetError',
      `the channel does not accept ${unsupported.join(', ')}, or the form does not support it`,
    )
  const cards = codes.filter((code) => brands[code]?.kind === 'card')
  const otherMethods = codes.flatMap((code): readonly CreateParts[] => {
    const brand = brands[code]
    if (brand?.kind === 'directDebit') return [() => directDebit(widget, code, brand, pageForm)]
    return brand && brand.kind !== 'card' ? [() => redirected(widget, code, brand)] : []
  })
  return cards.length > 0 ? [(callbacks) => card(widget, cards, callbacks), ...otherMethods] : otherMethods
}

function drawOne(paymentForm: PaymentForm, pageForm: HTMLFormElement, createParts: CreateParts): Method {
  const { base, text, signal } = paymentForm.widget
  const unavailable = new Set<() => void>()
  const loadAgain = (): void => {
    for (const load of unavailable) load()
  }
  const parts = createParts({
    onEnter: () => method.form.requestSubmit(),
    onUnavailable(load) {
      if (unavailable.size === 0)
        reportFailure('WidgetError', `a frame of ${base} has not loaded yet: it is slow, or has failed`)
      unavailable.add(load)
      const again = (): void => {
        method.announce('')
        method.wait(true)
        loadAgain()
      }
      method.wait(false)
      if (!paymentForm.inProgress) method.announce(text('notLoaded'), '', tryAgainButton(again))
    },
    onAvailable(load) {
      if (!unavailable.delete(load) || unavailable.size > 0) return
      method.wait(false)
      if (!paymentForm.inProgress) method.announce('')
    },
  })
  addEventListener('online', loadAgain, { signal })
  const method: Method = drawMethod(paymentForm.widget, { ...parts, pageForm }, () => void pay(paymentForm, method))
  const drawn = option('style') === 'logos' ? folded(method) : method.root
  pageForm.before(drawn)
  page.drawn.push(drawn)
  return method
}

/** Folds a method behind its logos. Only one folded method is open at a time. */
function folded({ root, name, form }: Method): HTMLElement {
  const logos = form.querySelector('.wpwl-brands') ?? name
  return element('details', 'method', { name: 'wpwl' }, element('summary', 'method-summary', {}, logos), root)
}

/** Hides the other methods until the shopper chooses to pay without stored details. */
function hide({ widget }: PaymentForm, methods: readonly Method[]): void {
  const roots = methods.map(({ root }) => (root.parentElement?.localName === 'details' ? root.parentElement : root))
  const button = element('button', 'button button-other', { type: 'button' }, widget.text('otherMethod'))
  const show = (shown: boolean): void => {
    for (const root of roots) root.hidden = !shown
  }
  roots[0]?.before(button)
  page.drawn.push(button)
  show(false)
  button.addEventListener('click', () => {
    show(true)
    button.remove()
    methods[0]?.fields[0]?.focus()
  })
}
