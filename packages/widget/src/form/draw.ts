import type { WidgetBrand } from '@tollgate/contract'
import type { Desk } from './desk.ts'
import { element } from './dom.ts'
import { drawMethod, type Method, type MethodParts } from './method.ts'
import { card, directDebit, redirected, registrations, type Terms } from './methods.ts'
import { complain, option } from './options.ts'
import { page, tryAgainButton } from './page.ts'
import { pay } from './pay.ts'
import { release } from './reserve.ts'

type Parts = Omit<MethodParts, 'shop'>

/** Draws the ways to pay before each form of the page's, in the order that the page names their brands in. */
export function drawAll(desk: Desk): void {
  const { checkout } = desk.widget
  release(page.forms)
  for (const shop of page.forms) {
    const stored = shop === page.forms[0] && checkout.registrations.length > 0
    const saved = stored ? [drawOne(desk, shop, (terms) => registrations(desk.widget, terms))] : []
    const others = partsOf(desk, shop).map((make) => drawOne(desk, shop, make))
    if (stored && option('registrations').hideInitialPaymentForms) hide(desk, others)
    page.methods.push(...saved, ...others)
  }
}

/** Wallets and others that answer at once without a form of ours are no part of it. */
const isDrawn = (brand?: WidgetBrand): boolean =>
  brand?.kind === 'card' || brand?.kind === 'directDebit' || brand?.flow === 'async'

type Make = (terms: Terms) => Parts

function partsOf({ widget }: Desk, shop: HTMLFormElement): readonly Make[] {
  const { brands } = widget.checkout
  const asked = new Set(shop.dataset.brands?.match(/\S+/g))
  const codes = [...asked].filter((code) => Object.hasOwn(brands, code) && isDrawn(brands[code]))
  const left = [...asked].filter((code) => !codes.includes(code))
  if (left.length > 0) complain('WidgetError', `the channel does not take ${left.join(', ')}, or not in this form`)
  const cards = codes.filter((code) => brands[code]?.kind === 'card')
  const others = codes.flatMap((code): readonly Make[] => {
    const brand = brands[code]
    if (brand?.kind === 'directDebit') return [() => directDebit(widget, code, brand, shop)]
    return brand && brand.kind !== 'card' ? [() => redirected(widget, code, brand)] : []
  })
  return cards.length > 0 ? [(terms) => card(widget, cards, terms), ...others] : others
}

function drawOne(desk: Desk, shop: HTMLFormElement, make: Make): Method {
  const { base, text, signal } = desk.widget
  const away = new Set<() => void>()
  const loadAgain = (): void => {
    for (const load of away) load()
  }
  const parts = make({
    onEnter: () => method.form.requestSubmit(),
    onAway(load) {
      if (away.size === 0) complain('WidgetError', `a frame of ${base} has not loaded yet: it is slow, or has failed`)
      away.add(load)
      const again = (): void => {
        method.say('')
        method.wait(true)
        loadAgain()
      }
      method.wait(false)
      if (!desk.underWay) method.say(text('notLoaded'), '', tryAgainButton(again))
    },
    onBack(load) {
      if (!away.delete(load) || away.size > 0) return
      method.wait(false)
      if (!desk.underWay) method.say('')
    },
  })
  addEventListener('online', loadAgain, { signal })
  const method: Method = drawMethod(desk.widget, { ...parts, shop }, () => void pay(desk, method))
  const drawn = option('style') === 'logos' ? folded(method) : method.root
  shop.before(drawn)
  page.drawn.push(drawn)
  return method
}

/** Behind its logos; of those that are folded, one is open at a time. */
function folded({ root, name, form }: Method): HTMLElement {
  const logos = form.querySelector('.wpwl-brands') ?? name
  return element('details', 'method', { name: 'wpwl' }, element('summary', 'method-summary', {}, logos), root)
}

/** Until the shopper wants to pay another way than with what is stored. */
function hide({ widget }: Desk, methods: readonly Method[]): void {
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
