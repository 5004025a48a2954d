import type { WidgetBrand } from '@tollgate/contract'
import type { Pair } from '../shared/parameters.ts'
import { element } from './dom.ts'
import { drawField, type Field, type FrameField, inputField, newId } from './field.ts'
import { frameField, type FrameOptions } from './frame-field.ts'
import { expiryOf, longYear } from './inputs.ts'
import type { MethodParts } from './method.ts'
import { call, option } from './options.ts'
import type { Widget } from './widget.ts'

/** Callbacks of the frames of a form. */
export interface FrameCallbacks {
  /** Called when the shopper presses Enter in a frame. */
  readonly onEnter: () => void
  readonly onUnavailable: FrameOptions['onUnavailable']
  readonly onAvailable: FrameOptions['onAvailable']
}

type Parts = Omit<MethodParts, 'pageForm'>

/** The logo of a brand. It is decorative, because the label of its row or the text beside it contains the name. */
const logo = ({ base }: Widget, code: string): HTMLElement =>
  element('img', `brand brand-${code}`, {
    src: `${base}/pages/assets/logos/${code}.svg`,
    alt: '',
    width: '42',
    height: '28',
  })

const nameOf = ({ checkout }: Widget, code: string): string => checkout.brands[code]?.name ?? code

const logoRow = (name: string, logos: Iterable<Node>): HTMLElement =>
  element('div', 'brands', { role: 'img', 'aria-label': name }, ...logos)

/** @param registrationKey key of the text for a checkout that only stores the account */
const buttonTextOf = ({ checkout, text }: Widget, registrationKey: string): string => {
  const { purpose, amount, currency, tag } = checkout
  if (purpose === 'registration') return text(registrationKey)
  if (amount === undefined || currency === undefined) return text('payWithoutAmount')
  const money = new Intl.NumberFormat(tag, { style: 'currency', currency })
  return text('pay', { amount: money.format(Number(amount)) })
}

/** The fields of the billing address, if the page's options request it. */
function billingFields(widget: Widget): readonly Field[] {
  const values = option('billingAddress')
  const mandatory = option('mandatoryBillingFields')
  const addressParameters = ['street1', 'houseNumber1', 'postcode', 'city', 'state', 'country']
  const names = ['street', 'houseNumber', 'postcode', 'city', 'state', 'country']
  if (!addressParameters.some((parameter) => values[parameter] !== undefined || mandatory[parameter])) return []
  return names.map((name, index) => {
    const parameter = addressParameters[index] ?? name
    return inputField(widget, name, mandatory[parameter] === true, String(values[parameter] ?? ''))
  })
}

const cvvHint = (brand: string): string => (/^A(?:MEX|XP)$/.test(brand) ? 'cvvHintAmex' : 'cvvHint')

/** @param codes the card brands, in the page's order */
export function cardParts(widget: Widget, codes: readonly string[], callbacks: FrameCallbacks): Parts {
  const { text } = widget
  const formId = newId()
  const logos = new Map(codes.map((code) => [code, logo(widget, code)]))
  const select = element('select', 'control control-brand', { id: newId(), name: 'paymentBrand' })
  const label = element('label', '', { for: select.id }, text('brand'))
  const brandField = drawField('brand', label, select)
  const accepted = text('cardsAccepted', { brands: codes.map((code) => nameOf(widget, code)).join(', ') })
  const frame = (name: string, onChange: (brands: readonly string[]) => void): FrameField =>
    frameField(widget, name, {
      ...callbacks,
      formId,
      brands: codes,
      onChange: ({ brands }) => onChange(brands),
      onReady: applyBrand,
    })
  let detectedBrands = ''

  function offerBrands(brands: readonly string[]): void {
    select.replaceChildren(...brands.map((code) => element('option', '', { value: code }, nameOf(widget, code))))
    brandField.group.hidden = brands.length < 2
  }

  /** Applies the selected brand to the frames and the logos. */
  function applyBrand(): void {
    const brand = select.value
    number.post({ kind: 'brand', brand: brandField.group.hidden ? '' : brand, hint: '' })
    cvv?.post({ kind: 'brand', brand, hint: text(cvvHint(brand)) })
    const offered = Array.from(select.options, ({ value }) => value)
    for (const [code, image] of logos) {
      image.classList.toggle('wpwl-brand-inactive', offered.length > 0 && !offered.includes(code))
    }
  }

  function onDetected(brands: readonly string[]): void {
    if (!option('brandDetection') || String(brands) === detectedBrands) return
    detectedBrands = String(brands)
    offerBrands(brands)
    applyBrand()
    void call('onDetectBrand', brands)
  }

  const number = frame('cardNumber', onDetected)
  const cvv = option('requireCvv') ? frame('cvv', () => undefined) : undefined
  const expiry = inputField(widget, 'expiry')
  const holder = inputField(widget, 'cardHolder')
  const address = billingFields(widget)
  select.addEventListener('change', applyBrand)
  offerBrands(option('brandDetection') ? [] : codes)

  const fields = [number, expiry, ...(cvv ? [cvv] : []), holder, ...address]
  return {
    kinds: ['card'],
    name: accepted,
    children: [
      logoRow(accepted, logos.values()),
      number.group,
      brandField.group,
      ...fields.slice(1).map(({ group }) => group),
    ],
    fields,
    frame: number,
    parameters: () => {
      const { month, year } = expiryOf(expiry.value())
      return [
        ['card.expiryMonth', month],
        ['card.expiryYear', longYear(year)],
      ]
    },
    buttonText: buttonTextOf(widget, 'store'),
  }
}

/**
 * The mandate id, the same in each attempt: the checkout's id with a letter in place of each hexadecimal digit, because
 * the contract allows no digits ("mandate.id: letters or hyphens").
 */
const mandateId = ({ id }: Widget): string =>
  Array.from(id.slice(0, 32), (digit) => String.fromCodePoint(65 + (Number.parseInt(digit, 16) || 0))).join('')

/** Hidden inputs of the mandate that the shopper signs by paying. The page's own inputs take precedence. */
const mandateInputs = (id: string): readonly HTMLElement[] =>
  Object.entries({ id, dateOfSignature: new Date().toISOString().slice(0, 10) }).map(([name, value]) =>
    element('input', '', { type: 'hidden', name: `bankAccount.mandate.${name}`, value }),
  )

/** The text by which the shopper authorises the debit, with the known data of creditor and mandate. */
function mandateText({ checkout: { mandate }, text }: Widget, reference: string): HTMLElement {
  const { creditor, creditorId } = mandate
  const sentence = creditor === undefined ? text('mandateWithoutName') : text('mandate', { merchant: creditor })
  const facts = { creditor, creditorId, mandateReference: reference }
  const present = Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== undefined)
  return element(
    'div',
    'mandate',
    {},
    element('p', 'mandate-sentence', {}, sentence),
    element(
      'dl',
      'mandate-facts',
      {},
      ...present.flatMap(([key, value]) => [
        element('dt', '', {}, text(key)),
        element('dd', '', {}, element('bdi', '', {}, value)),
      ]),
    ),
  )
}

/**
 * The parts of a direct debit: the account and the mandate.
 *
 * @param pageForm the page's form, which may contain a mandate id
 */
export function directDebitParts(widget: Widget, code: string, brand: WidgetBrand, pageForm: HTMLFormElement): Parts {
  const holder = inputField(widget, 'accountHolder')
  const iban = inputField(widget, 'iban')
  const address = billingFields(widget)
  const fields = [holder, iban, ...address]
  const mandateOfPage = new FormData(pageForm).get('bankAccount.mandate.id')
  const mandateReference = typeof mandateOfPage === 'string' && mandateOfPage !== '' ? mandateOfPage : mandateId(widget)
  return {
    kinds: [brand.kind, `${brand.kind}-${code}`],
    name: brand.name,
    children: [
      logoRow(brand.name, [logo(widget, code)]),
      ...fields.map(({ group }) => group),
      mandateText(widget, widget.checkout.mandate.reference ?? mandateReference),
      ...mandateInputs(mandateReference),
    ],
    fields,
    parameters: () => {
      const account = iban.value().replaceAll(' ', '')
      return [
        ['paymentBrand', code],
        ['bankAccount.iban', account],
        ['bankAccount.country', account.slice(0, 2)],
      ]
    },
    buttonText: buttonTextOf(widget, 'storeAccount'),
  }
}

/** The parts of a method whose bank or wallet collects all other data on its own page. */
export const redirectParts = (widget: Widget, code: string, brand: WidgetBrand): Parts => ({
  kinds: [brand.kind, `${brand.kind}-${code}`],
  name: brand.name,
  children: [logoRow(brand.name, [logo(widget, code)])],
  fields: [],
  parameters: () => [['paymentBrand', code]],
  buttonText: widget.text('continueTo', { brand: brand.name }),
})

/** The parts of a payment with an account that the shopper has stored at this shop. */
export function storedAccountParts(widget: Widget, callbacks: FrameCallbacks): Parts {
  const { checkout, text } = widget
  const choices = checkout.registrations.map(({ id, brand, last4, expiryMonth, expiryYear }, index) => {
    const radio = element('input', 'control-registration', { type: 'radio', name: 'registrationId', value: id })
    radio.checked = index === 0
    const account = text('savedCard', { brand: nameOf(widget, brand), last4 })
    const lines = [element('span', 'registration-account', {}, account)]
    if (expiryMonth && expiryYear) {
      const date = `${expiryMonth}/${expiryYear.slice(2)}`
      lines.push(element('span', 'registration-expiry', {}, text('validUntil', { date })))
    }
    return { radio, brand, label: element('label', 'registration', {}, radio, logo(widget, brand), ...lines) }
  })
  const chosenBrand = (): string => choices.find(({ radio }) => radio.checked)?.brand ?? ''
  const list = element(
    'fieldset',
    'group group-registration',
    {},
    element('legend', 'label', {}, text('savedDetails')),
    ...choices.map(({ label }) => label),
  )
  const brands = Object.keys(checkout.brands).filter((code) => checkout.brands[code]?.kind === 'card')
  const hasCvv = (): boolean => brands.includes(chosenBrand())
  function updateCvv(): void {
    if (!cvv) return
    cvv.group.hidden = !hasCvv()
    if (hasCvv()) cvv.post({ kind: 'brand', brand: chosenBrand(), hint: text(cvvHint(chosenBrand())) })
    else cvv.clear()
  }
  const cvv = option('registrations').requireCvv
    ? frameField(widget, 'cvv', {
        ...callbacks,
        formId: newId(),
        brands,
        onChange: () => undefined,
        onReady: updateCvv,
      })
    : undefined
  list.addEventListener('change', updateCvv)
  updateCvv()
  const parameters = (): readonly Pair[] => [['paymentBrand', chosenBrand()]]
  return {
    kinds: ['registration'],
    name: text('savedDetails'),
    children: [list, ...(cvv ? [cvv.group] : [])],
    // While the shopper chooses a stored bank account, which has no CVV, the hidden CVV field counts as valid.
    fields: cvv ? [{ ...cvv, error: () => (hasCvv() ? cvv.error() : '') }] : [],
    ...(cvv && { frame: cvv }),
    parameters,
    buttonText: buttonTextOf(widget, 'storeAccount'),
  }
}
