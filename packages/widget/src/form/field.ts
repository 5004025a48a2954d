import type { WidgetResult } from '@tollgate/contract'
import type { MessageOf, toFrame } from '../shared/messages.ts'
import type { Pair } from '../shared/parameters.ts'
import { element } from './dom.ts'
import { inputs } from './inputs.ts'
import { callOnBlur } from './options.ts'
import type { Widget } from './widget.ts'

/** One field of a form, in the page or in a frame. */
export interface Field {
  readonly name: string
  readonly group: HTMLElement
  /** Key of the error text; empty if the value is valid. */
  readonly error: () => string
  /** Shows an error text; an empty text removes it. */
  readonly mark: (text: string) => void
  readonly focus: () => void
  readonly clear: () => void
  /** Resolves when the field can be filled in. */
  readonly ready?: Promise<void>
}

/** A field whose value the page may read. */
export interface InputField extends Field {
  readonly value: () => string
}

/** A field in a frame of the gateway's origin. The page never receives a digit of its value. */
export interface FrameField extends Field {
  readonly post: (message: MessageOf<typeof toFrame>) => void
  /** Makes the frame post the parameters together with the digits of all frames of the form. */
  readonly submit: (action: string, parameters: readonly Pair[]) => Promise<WidgetResult>
  /** Resolves when the frame is ready for the first time. */
  readonly ready: Promise<void>
}

/** A field as drawn: its label, its control and, below them, its error text. */
export interface DrawnField {
  readonly group: HTMLElement
  readonly mark: (text: string) => void
}

let count = 0
/** An id that is unique in the page. */
export const newId = (): string => `wpwl-${++count}`

export function drawField(name: string, label: Node, control: HTMLElement): DrawnField {
  const hint = element('div', `hint hint-${name}Error`, { id: newId() })
  const wrapper = element('div', `wrapper wrapper-${name}`, {}, control)
  const group = element(
    'div',
    `group group-${name}`,
    {},
    element('div', `label label-${name}`, {}, label),
    wrapper,
    hint,
  )
  control.setAttribute('aria-describedby', hint.id)
  return {
    group,
    mark(text) {
      for (const node of [group, control]) node.classList.toggle('wpwl-has-error', text !== '')
      control.setAttribute('aria-invalid', String(text !== ''))
      hint.textContent = text
    },
  }
}

/** A field in the page itself. It shows no error until the shopper leaves it or tries to pay. */
export function inputField(widget: Widget, name: string, required = true, value = ''): InputField {
  const input = inputs[name] ?? { autocomplete: 'off', error: () => '' }
  const { parameter, autocomplete, inputmode, isLtr, tidy = (text: string) => text } = input
  const control = name === 'country' ? countrySelect(widget) : element('input', '')
  control.className = `wpwl-control wpwl-control-${name}`
  const attributes = {
    id: newId(),
    name: parameter,
    autocomplete,
    inputmode,
    dir: isLtr && 'ltr',
    placeholder: name === 'expiry' ? widget.text('expiryPlaceholder') : undefined,
    'aria-required': required ? 'true' : undefined,
  }
  for (const [key, text] of Object.entries(attributes)) if (text) control.setAttribute(key, text)
  control.value = value
  const drawn = drawField(name, element('label', '', { for: control.id }, widget.text(name)), control)
  const field: InputField = {
    ...drawn,
    name,
    error: () => (required || control.value !== '' ? input.error(control.value) : ''),
    value: () => control.value,
    focus: () => control.focus(),
    clear: () => (control.value = ''),
  }
  const validate = (): void => drawn.mark(field.error() && widget.text(field.error()))
  control.addEventListener('input', (event) => {
    const isDeletion = event instanceof InputEvent && event.inputType.startsWith('delete')
    const isCaretAtEnd = control instanceof HTMLSelectElement || control.selectionStart === control.value.length
    if (!isDeletion && isCaretAtEnd) control.value = tidy(control.value)
    if (drawn.group.classList.contains('wpwl-has-error')) validate()
  })
  control.addEventListener('blur', () => {
    if (control.value !== '') {
      control.value = tidy(control.value)
      validate()
    }
    callOnBlur(name, field.error() === '')
  })
  return field
}

declare const COUNTRIES: string

/** A select element with all countries, sorted by their names in the shopper's language. */
function countrySelect({ checkout }: Widget): HTMLSelectElement {
  const names = new Intl.DisplayNames(checkout.tag, { type: 'region' })
  const options = (COUNTRIES.match(/../g) ?? [])
    .map((code) => [names.of(code) ?? code, code] as const)
    .toSorted(([first], [second]) => first.localeCompare(second, checkout.tag))
    .map(([name, value]) => element('option', '', { value }, name))
  return element('select', '', {}, element('option', '', { value: '' }), ...options)
}
