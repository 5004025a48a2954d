import type { WidgetResult } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { isMessage, type MessageOf, type toFrame, toPage } from '../shared/messages.ts'
import type { Pair } from '../shared/parameters.ts'
import { lost } from '../shared/send.ts'
import { element } from './dom.ts'
import { draw, type FrameField } from './field.ts'
import { blurred, option } from './options.ts'
import { page } from './page.ts'
import type { Widget } from './widget.ts'

type ToPage = MessageOf<typeof toPage>

/** What a form asks of its frame. */
export interface FrameTerms {
  readonly pair: string
  readonly brands: readonly string[]
  readonly onChange: (message: Extract<ToPage, { kind: 'change' }>) => void
  /** At first, and when the page has moved the frame, which then has forgotten all. */
  readonly onReady: () => void
  readonly onEnter: () => void
  /** The frame is slow or has failed. @param load loads it again */
  readonly onAway: (load: () => void) => void
  /** The frame is ready, later than expected. */
  readonly onBack: (load: () => void) => void
}

/** What the text of a frame takes over from the page, where the page styles its own fields. */
const copied = ['color', 'font-family', 'font-size', 'font-style', 'font-weight', 'letter-spacing', 'line-height']

/** @param name `cardNumber` or `cvv` */
export function frameField(widget: Widget, name: string, terms: FrameTerms): FrameField {
  const { base, id, text, signal } = widget
  const [path, style] = name === 'cvv' ? ['cvv', 'cvv'] : ['number', 'card-number']
  const label = text(name)
  const src = `${base}/pages/fields/${path}?checkoutId=${id}&lang=${widget.checkout.language}`
  const frame = element('iframe', `control control-iframe control-${name}`, {
    src,
    title: label,
    allow: 'shared-autofill',
  })
  frame.style.setProperty('column-rule-color', 'Canvas')
  const caption = element('span', '', { 'aria-hidden': 'true' }, label)
  const drawn = draw(name, caption, frame)
  let port: MessagePort | undefined
  let state: Omit<Extract<ToPage, { kind: 'change' }>, 'kind'> = { empty: true, full: false, error: '', brands: [] }
  let error = 'errorCvv'
  let answer: (result: WidgetResult) => void = () => undefined
  let begin: () => void = () => undefined
  const ready = new Promise<void>((resolve) => (begin = resolve))
  let timer: ReturnType<typeof setTimeout> | undefined
  const pausesMs: number[] = [...limits.loadPausesMs]

  const after = (ms: number, run: () => void): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void (signal.aborted || page.blocked || run()), ms)
  }
  const watch = (): void => after(limits.frameSlowMs, () => terms.onAway(load))
  const load = (): void => {
    frame.src = src
    watch()
  }
  const failed = (): void => {
    const pauseMs = pausesMs.shift()
    terms.onAway(load)
    if (pauseMs !== undefined) after(pauseMs, load)
  }

  const tell: FrameField['tell'] = (message) => port?.postMessage(message)
  const mark = (said: string): void => {
    drawn.mark(said)
    tell({ kind: 'mark', error: said })
  }
  const field: FrameField = {
    ...drawn,
    name,
    mark,
    tell,
    ready,
    error: () => error,
    focus: () => {
      // With its label and what is wrong: the focus alone brings no frame into view.
      drawn.group.scrollIntoView({ block: 'nearest' })
      frame.focus()
      tell({ kind: 'focus' })
    },
    clear: () => tell({ kind: 'clear' }),
    submit: (action, parameters) => {
      tell({ kind: 'submit', action, parameters })
      return new Promise((resolve) => {
        answer = resolve
        // The frame gives up sooner, if it is still there.
        setTimeout(() => resolve(lost), limits.submitMs * 1.1)
      })
    },
  }

  function restyle(): void {
    const computed = getComputedStyle(frame)
    // What the browser's own ground is here tells light from dark, however the page has chosen between them.
    const [ground = 255] = computed.columnRuleColor.match(/\d+/g)?.map(Number) ?? []
    const pairs = (key: string): readonly Pair[] =>
      Object.entries(option('iframeStyles')[key] ?? {}).map(([property, value]) => [property, String(value)])
    tell({
      kind: 'style',
      scheme: ground < 128 ? 'dark' : 'light',
      text: [...copied.map((one): Pair => [one, computed.getPropertyValue(one)]), ...pairs(style)],
      placeholder: pairs(`${style}-placeholder`),
    })
  }

  function changed(message: Extract<ToPage, { kind: 'change' }>): void {
    state = message
    error = message.error
    // A whole number that is wrong is said to be so at once; half a one is not wrong before the shopper leaves it.
    if (error === '') mark('')
    else if (state.full && name !== 'cvv') mark(text(error))
    terms.onChange(message)
  }

  function hear(message: ToPage): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(timer)
        terms.onBack(load)
        restyle()
        terms.onReady()
        return begin()
      case 'change':
        return changed(message)
      case 'focus':
        return frame.classList.add('wpwl-has-focus')
      case 'blur':
        frame.classList.remove('wpwl-has-focus')
        if (!state.empty) mark(error && text(error))
        return blurred(name, error === '')
      case 'enter':
        return terms.onEnter()
      case 'result':
        return answer(message.result)
    }
  }

  // At each load, since a frame that the page moves loads anew. Whoever is not of our origin is not told.
  frame.addEventListener('load', () => {
    after(limits.frameReadyMs, failed)
    const { port1, port2 } = new MessageChannel()
    port = port1
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isMessage(toPage, data)) hear(data)
    })
    port1.start()
    const message: MessageOf<typeof toFrame> = {
      kind: 'connect',
      pair: terms.pair,
      label,
      placeholder: name === 'cvv' ? '•••' : '1234 5678 9012 3456',
      brands: terms.brands,
      masked: name === 'cvv' && option('maskCvv'),
    }
    frame.contentWindow?.postMessage(message, new URL(base).origin, [port2])
  })
  caption.addEventListener('click', field.focus)
  watch()
  // What changes the colours of the page, be it the system or a switch of its own, changes those of the border too.
  frame.addEventListener('transitionend', restyle)
  return field
}
