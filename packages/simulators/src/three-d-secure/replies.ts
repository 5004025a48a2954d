import type { Html } from '@tollgate/contract'
import type { FastifyReply } from 'fastify'
import { sendPage } from '../http/page.ts'

/** Sends a message of the protocol. */
export const sendMessage = (reply: FastifyReply, message: Uint8Array): FastifyReply =>
  reply.type('application/json;charset=UTF-8').send(Buffer.from(message))

/** Sends a page of the ACS: any site may frame it, as a page of a real ACS, and our script submits its form. */
export const sendAcsPage = (reply: FastifyReply, html: Html): FastifyReply =>
  sendPage(reply, html, { 'script-src': "'self'", 'frame-ancestors': '*' })
