/** A piece of HTML that may stand in a page as it is. */
export interface Html {
  readonly html: string
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (found) => escapes[found] ?? found)

/** A template whose values are escaped, but for other pieces of HTML and lists of them. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const rendered = values.map((value) =>
    typeof value === 'string'
      ? escape(value)
      : [value]
          .flat()
          .map((one) => one.html)
          .join(''),
  )
  return { html: parts.map((part, at) => part + (rendered[at] ?? '')).join('') }
}

export const nothing: Html = { html: '' }
