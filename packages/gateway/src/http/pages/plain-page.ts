import { escapeHtml } from '@tollgate/contract'
import type { FastifyReply } from 'fastify'

export const HTML = 'text/html; charset=utf-8'

/** A page with one message. @param language BCP 47 tag of its texts */
export const plainPage = (language: string, title: string, text: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
  `<meta name="viewport" content="width=device-width"></head>` +
  `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main></body></html>`

/** The answer for an unknown or deleted session. */
export const notFound = (reply: FastifyReply): FastifyReply =>
  reply
    .code(404)
    .type(HTML)
    .send(plainPage('en', 'Not found', 'This page does not exist or has expired. Please return to the shop.'))
