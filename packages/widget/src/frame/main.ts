// The page of one field, number or CVV, on the gateway's origin. The digits stay in this frame, which posts them to the
// gateway: the surrounding page receives only whether the field is empty, full or invalid, its possible brands, events
// such as a blur, and the result of the payment.
import { isCardBrand } from '@tollgate/contract'
import { digitsOf } from '../shared/digits.ts'
import { isMessage, type MessageOf, toFrame, type toPage } from '../shared/messages.ts'
import { allowedParameters, type Pair } from '../shared/parameters.ts'
import { postPayment } from '../shared/post-payment.ts'
import { type FieldKind, fieldKinds } from './fields.ts'
import { frameValues } from './frame-values.ts'
import { allowedStyles } from './styles.ts'

type ToFrame = MessageOf<typeof toFrame>
type Connect = Extract<ToFrame, { kind: 'connect' }>

const FIELD_PATH = /^(.*)\/pages\/fields\/(\w+)$/
const CHECKOUT_ID = /^[A-Za-z0-9.-]{32,48}$/

/** Accepts the first message `connect` that transfers a port. Its sender must be the parent of this frame. */
function onConnect(connect: (port: MessagePort, message: Connect) => void): void {
  addEventListener('message', function receive(event: MessageEvent<unknown>) {
    const [port] = event.ports
    if (event.source !== parent || !port || !isMessage(toFrame, event.data) || event.data.kind !== 'connect') return
    removeEventListener('message', receive)
    connect(port, event.data)
  })
}

/** Runs the field: applies the input and the messages of the page, and posts the state of the field to the page. */
function runField(kind: FieldKind, base: string, checkoutId: string, port: MessagePort, options: Connect): void {
  const input = document.querySelector('input') ?? document.createElement('input')
  const label = document.querySelector('label')
  const hint = document.querySelector('p')
  const placeholder = new CSSStyleSheet()
  let chosenBrand = ''
  let hintText = ''
  let digits = ''
  let lastMessage = ''

  const post = (message: MessageOf<typeof toPage>): void => port.postMessage(message)

  /** Applies a typed value, and posts the state of the field if it has changed. */
  function update(value: string): void {
    const { text, isFull, error, brands, ...state } = kind.state(
      value,
      options.brands,
      isCardBrand(chosenBrand) ? chosenBrand : undefined,
    )
    digits = state.digits
    if (input.value !== text) input.value = text
    const message = { kind: 'change', empty: digits === '', full: isFull, error, brands } as const
    if (JSON.stringify(message) !== lastMessage) post(message)
    lastMessage = JSON.stringify(message)
  }

  function onInput(event: Event): void {
    const typed = digitsOf(input.value)
    const digitsBeforeCaret = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length
    // Backspace after a space would delete only the space, which would reappear at once. The digit before the space is
    // deleted instead.
    const isOnlySpace = event instanceof InputEvent && event.inputType === 'deleteContentBackward' && typed === digits
    const count = isOnlySpace ? Math.max(digitsBeforeCaret - 1, 0) : digitsBeforeCaret
    update(isOnlySpace ? typed.slice(0, count) + typed.slice(digitsBeforeCaret) : typed)
    const caret = kind.caret(Math.min(count, digits.length), input.value)
    input.setSelectionRange(caret, caret)
  }

  function showError(error: string): void {
    input.setAttribute('aria-invalid', String(error !== ''))
    if (hint) hint.textContent = error || hintText
  }

  function restyle(text: readonly Pair[], placeholderStyles: readonly Pair[], scheme: string): void {
    document.documentElement.style.setProperty('color-scheme', scheme)
    for (const [name, value] of allowedStyles(text)) input.style.setProperty(name, value)
    placeholder.replaceSync('input::placeholder {}')
    const [rule] = placeholder.cssRules
    if (!(rule instanceof CSSStyleRule)) return
    for (const [name, value] of allowedStyles(placeholderStyles)) rule.style.setProperty(name, value)
  }

  async function submit(action: string, parameters: readonly Pair[]): Promise<void> {
    const path = action === 'registration' ? action : 'payment'
    const values = frameValues(parent, checkoutId, options.pair)
    const result = await postPayment(base, checkoutId, path, [
      ...allowedParameters(parameters),
      ...values.filter(([, value]) => value !== ''),
    ])
    post({ kind: 'result', result })
  }

  const handlers: { readonly [Kind in ToFrame['kind']]: (message: Extract<ToFrame, { kind: Kind }>) => void } = {
    connect: () => undefined,
    style: ({ text, placeholder: placeholderStyles, scheme }) => restyle(text, placeholderStyles, scheme),
    brand: ({ brand, hint: text }) => {
      chosenBrand = brand
      hintText = text
      showError('')
      update(digits)
    },
    mark: ({ error }) => showError(error),
    focus: () => input.focus(),
    clear: () => {
      input.value = ''
      update('')
    },
    submit: ({ action, parameters }) => void submit(action, parameters),
  }

  input.autocomplete = kind.autocomplete
  input.type = options.masked ? 'password' : 'text'
  input.placeholder = options.placeholder
  if (label) label.textContent = options.label
  document.adoptedStyleSheets = [placeholder]
  window.tollgateField = { checkoutId, pair: options.pair, read: () => [kind.parameter, digits] }

  input.addEventListener('input', onInput)
  input.addEventListener('focus', () => post({ kind: 'focus' }))
  input.addEventListener('blur', () => post({ kind: 'blur' }))
  input.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Enter' && !isComposing) post({ kind: 'enter' })
  })
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isMessage(toFrame, data)) dispatch(handlers, data)
  })
  port.start()
  post({ kind: 'ready' })
  update(digitsOf(input.value))
}

const dispatch = <Kind extends ToFrame['kind']>(
  handlers: { readonly [Each in Kind]: (message: Extract<ToFrame, { kind: Each }>) => void },
  message: Extract<ToFrame, { kind: Kind }>,
): void => handlers[message.kind](message)

const [, path = '', name = ''] = FIELD_PATH.exec(location.pathname) ?? []
const checkoutId = new URLSearchParams(location.search).get('checkoutId') ?? ''
const kind = Object.hasOwn(fieldKinds, name) ? fieldKinds[name] : undefined
if (kind && CHECKOUT_ID.test(checkoutId)) {
  onConnect((port, message) => runField(kind, location.origin + path, checkoutId, port, message))
}
