import { escapeHtml } from '@tollgate/contract'

/** A page with one message, in the shopper's language if it is known. */
export const plainPage = (language: string, title: string, text: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
  `<meta name="viewport" content="width=device-width"></head>` +
  `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main></body></html>`
