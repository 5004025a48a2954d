import type { WidgetResult } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { isMessage, type MessageOf, type toFrame, toPage } from '../shared/messages.ts'
import type { Pair } from '../shared/parameters.ts'
import { lost } from '../shared/send.ts'
import { element } from './dom.ts'
import { draw, type FrameField } from './field.ts'
import { callOnBlur, option } from './options.ts'
import { page } from './page.ts'
import type { Widget } from './widget.ts'

type ToPage = MessageOf<typeof toPage>

/** Parameters and callbacks of a frame. */
export interface FrameOptions {
  readonly pair: string
  readonly brands: readonly string[]
  readonly onChange: (message: Extract<ToPage, { kind: 'change' }>) => void
  /** Called at the first load, and when the page has moved the frame, which then has lost its state. */
  readonly onReady: () => void
  readonly onEnter: () => void
  /** The frame is slow or has failed. @param load loads it again */
  readonly onUnavailable: (load: () => void) => void
  /** The frame is ready, later than expected. */
  readonly onAvailable: (load: () => void) => void
}

/** Styles that the text of a frame copies from the page, which may style its own fields. */
const copiedStyles = ['color', 'font-family', 'font-size', 'font-style', 'font-weight', 'letter-spacing', 'line-height']

/** @param name `cardNumber` or `cvv` */
export function frameField(widget: Widget, name: string, options: FrameOptions): FrameField {
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
  let markReady: () => void = () => undefined
  const ready = new Promise<void>((resolve) => (markReady = resolve))
  let timer: ReturnType<typeof setTimeout> | undefined
  const pausesMs: number[] = [...limits.loadPausesMs]

  const after = (ms: number, run: () => void): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void (signal.aborted || page.blocked || run()), ms)
  }
  const watch = (): void => after(limits.frameSlowMs, () => options.onUnavailable(load))
  const load = (): void => {
    frame.src = src
    watch()
  }
  const failed = (): void => {
    const pauseMs = pausesMs.shift()
    options.onUnavailable(load)
    if (pauseMs !== undefined) after(pauseMs, load)
  }

  const post: FrameField['post'] = (message) => port?.postMessage(message)
  const mark = (message: string): void => {
    drawn.mark(message)
    post({ kind: 'mark', error: message })
  }
  const field: FrameField = {
    ...drawn,
    name,
    mark,
    post,
    ready,
    error: () => error,
    focus: () => {
      // Scrolls label and error text into view as well: focus alone does not scroll to a frame.
      drawn.group.scrollIntoView({ block: 'nearest' })
      frame.focus()
      post({ kind: 'focus' })
    },
    clear: () => post({ kind: 'clear' }),
    submit: (action, parameters) => {
      post({ kind: 'submit', action, parameters })
      return new Promise((resolve) => {
        answer = resolve
        // This timeout ends only the submit of a removed frame: the timeout of the frame itself is shorter.
        setTimeout(() => resolve(lost), limits.submitMs * 1.1)
      })
    },
  }

  function restyle(): void {
    const computed = getComputedStyle(frame)
    // The computed colour of Canvas distinguishes light from dark, however the page selects its colour scheme.
    const [ground = 255] = computed.columnRuleColor.match(/\d+/g)?.map(Number) ?? []
    const pairs = (key: string): readonly Pair[] =>
      Object.entries(option('iframeStyles')[key] ?? {}).map(([property, value]) => [property, String(value)])
    post({
      kind: 'style',
      scheme: ground < 128 ? 'dark' : 'light',
      text: [...copiedStyles.map((one): Pair => [one, computed.getPropertyValue(one)]), ...pairs(style)],
      placeholder: pairs(`${style}-placeholder`),
    })
  }

  function changed(message: Extract<ToPage, { kind: 'change' }>): void {
    state = message
    error = message.error
    // An invalid number of full length shows its error at once, a partial one only after the shopper leaves the field.
    if (error === '') mark('')
    else if (state.full && name !== 'cvv') mark(text(error))
    options.onChange(message)
  }

  function receive(message: ToPage): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(timer)
        options.onAvailable(load)
        restyle()
        options.onReady()
        return markReady()
      case 'change':
        return changed(message)
      case 'focus':
        return frame.classList.add('wpwl-has-focus')
      case 'blur':
        frame.classList.remove('wpwl-has-focus')
        if (!state.empty) mark(error && text(error))
        return callOnBlur(name, error === '')
      case 'enter':
        return options.onEnter()
      case 'result':
        return answer(message.result)
    }
  }

  // The frame is connected at each load, because it loads again when the page moves it. The target origin keeps the
  // message from other origins.
  frame.addEventListener('load', () => {
    after(limits.frameReadyMs, failed)
    const { port1, port2 } = new MessageChannel()
    port = port1
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isMessage(toPage, data)) receive(data)
    })
    port1.start()
    const message: MessageOf<typeof toFrame> = {
      kind: 'connect',
      pair: options.pair,
      label,
      placeholder: name === 'cvv' ? '•••' : '1234 5678 9012 3456',
      brands: options.brands,
      masked: name === 'cvv' && option('maskCvv'),
    }
    frame.contentWindow?.postMessage(message, new URL(base).origin, [port2])
  })
  caption.addEventListener('click', field.focus)
  watch()
  // A change of the page's colour scheme also changes the colour of the border, with a transition.
  frame.addEventListener('transitionend', restyle)
  return field
}
