import { escapeHtml } from '@tollgate/contract'

/** A page that says one thing to a shopper, in their language where that is known. */
export const plainPage = (language: string, title: string, text: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
  `<meta name="viewport" content="width=device-width"></head>` +
  `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main></body></html>`
