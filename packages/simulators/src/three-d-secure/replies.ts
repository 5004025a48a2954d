import type { Html } from '@tollgate/contract'
import type { FastifyReply } from 'fastify'
import { sendPage } from '../http/page.ts'

/** Sends a message of the protocol. */
export const sendMessage = (reply: FastifyReply, message: Uint8Array): FastifyReply =>
  reply.type('application/json;charset=UTF-8').send(Buffer.from(message))

/** Sends a page of the ACS. Any site may frame it, as with a real ACS, and a script of the ACS may submit its form. */
export const sendAcsPage = (reply: FastifyReply, html: Html): FastifyReply =>
  sendPage(reply, html, { 'script-src': "'self'", 'frame-ancestors': '*' })
