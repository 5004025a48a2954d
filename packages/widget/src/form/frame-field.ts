import type { WidgetResult } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { isMessage, type MessageOf, type toFrame, toPage } from '../shared/messages.ts'
import type { Pair } from '../shared/parameters.ts'
import { lostResult } from '../shared/post-payment.ts'
import { element } from './dom.ts'
import { drawField, type FrameField } from './field.ts'
import { callOnBlur, option } from './options.ts'
import { page } from './page.ts'
import type { Widget } from './widget.ts'

type ToPage = MessageOf<typeof toPage>

/** Parameters and callbacks of a frame. */
export interface FrameOptions {
  /** An id that the frames of one form share. */
  readonly formId: string
  readonly brands: readonly string[]
  readonly onChange: (message: Extract<ToPage, { kind: 'change' }>) => void
  /** Called after each load of the frame. A page that moves the frame reloads it, without its state. */
  readonly onReady: () => void
  readonly onEnter: () => void
  /** Called when the frame is slow or has failed. */
  readonly onUnavailable: (reload: () => void) => void
  /** Called when the frame is ready. */
  readonly onAvailable: (reload: () => void) => void
}

/** Style properties that a frame copies from the page to its text, because the page may restyle the fields. */
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
  const drawn = drawField(name, caption, frame)
  let port: MessagePort | undefined
  let state: Omit<Extract<ToPage, { kind: 'change' }>, 'kind'> = { empty: true, full: false, error: '', brands: [] }
  let error = name === 'cvv' ? 'errorCvv' : 'errorCardNumberMissing'
  let resolveSubmit: (result: WidgetResult) => void = () => undefined
  let markReady: () => void = () => undefined
  const ready = new Promise<void>((resolve) => (markReady = resolve))
  let timer: ReturnType<typeof setTimeout> | undefined
  const pausesMs: number[] = [...limits.loadPausesMs]

  /**
   * Schedules a function in place of the scheduled function, if any. It does not run after the form was removed or the
   * page was blocked.
   */
  const schedule = (ms: number, run: () => void): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void (signal.aborted || page.isBlocked || run()), ms)
  }
  const expectReady = (): void => schedule(limits.frameSlowMs, () => options.onUnavailable(reload))
  let reloadCount = 0
  /** Each reload has a new URL, because browsers may ignore a navigation to the URL that is still loading. */
  const reload = (): void => {
    reloadCount += 1
    frame.src = `${src}&reload=${reloadCount}`
    expectReady()
  }
  const onFailure = (): void => {
    const pauseMs = pausesMs.shift()
    options.onUnavailable(reload)
    if (pauseMs !== undefined) schedule(pauseMs, reload)
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
      // The label and the error text are scrolled into view, too. Focus alone does not scroll to a frame.
      drawn.group.scrollIntoView({ block: 'nearest' })
      frame.focus()
      post({ kind: 'focus' })
    },
    clear: () => post({ kind: 'clear' }),
    submit: (action, parameters) => {
      post({ kind: 'submit', action, parameters })
      return new Promise((resolve) => {
        resolveSubmit = resolve
        // A frame reports its own, shorter timeout. This timeout is for a frame that was removed and cannot report.
        setTimeout(() => resolve(lostResult), limits.submitMs * 1.1)
      })
    },
  }

  function restyle(): void {
    const computed = getComputedStyle(frame)
    // The column rule has the system colour Canvas, which is dark in a dark scheme, however the page selects its
    // scheme. Its red component distinguishes dark from light.
    const [red = 255] = computed.columnRuleColor.match(/\d+/g)?.map(Number) ?? []
    const pairs = (key: string): readonly Pair[] =>
      Object.entries(option('iframeStyles')[key] ?? {}).map(([property, value]) => [property, String(value)])
    post({
      kind: 'style',
      scheme: red < 128 ? 'dark' : 'light',
      text: [...copiedStyles.map((property): Pair => [property, computed.getPropertyValue(property)]), ...pairs(style)],
      placeholder: pairs(`${style}-placeholder`),
    })
  }

  function onChange(message: Extract<ToPage, { kind: 'change' }>): void {
    state = message
    error = message.error
    // A number of full length shows its error at once, a partial number only after the shopper leaves the field.
    if (error === '') mark('')
    else if (state.full && name !== 'cvv') mark(text(error))
    options.onChange(message)
  }

  function receive(message: ToPage): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(timer)
        options.onAvailable(reload)
        restyle()
        options.onReady()
        return markReady()
      case 'change':
        return onChange(message)
      case 'focus':
        return frame.classList.add('wpwl-has-focus')
      case 'blur':
        frame.classList.remove('wpwl-has-focus')
        if (!state.empty) mark(error && text(error))
        return callOnBlur(name, error === '')
      case 'enter':
        return options.onEnter()
      case 'result':
        return resolveSubmit(message.result)
    }
  }

  // The frame is connected at each load, because it loads again when the page moves it. The target origin keeps
  // pages of other origins from receiving the message.
  frame.addEventListener('load', () => {
    schedule(limits.frameReadyMs, onFailure)
    const { port1, port2 } = new MessageChannel()
    port = port1
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isMessage(toPage, data)) receive(data)
    })
    port1.start()
    const message: MessageOf<typeof toFrame> = {
      kind: 'connect',
      pair: options.formId,
      label,
      placeholder: name === 'cvv' ? '•••' : '1234 5678 9012 3456',
      brands: options.brands,
      masked: name === 'cvv' && option('maskCvv'),
    }
    frame.contentWindow?.postMessage(message, new URL(base).origin, [port2])
  })
  caption.addEventListener('click', field.focus)
  expectReady()
  // The colour of the border follows the page's colour scheme with a transition, whose end signals a change of scheme.
  frame.addEventListener('transitionend', restyle)
  return field
}
