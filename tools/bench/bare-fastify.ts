import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { parse } from 'fast-querystring'

// The baseline: Node and Fastify alone, which parse the form of a payment and send an answer that Tollgate gave before.
// Usage: bare-fastify <answer file> [ready]. The server serialises the JSON of each answer; with `ready` it sends the
// text of the file.

const [, , answerFile, ready] = process.argv
if (answerFile === undefined) throw new Error('usage: bare-fastify <answer file> [ready]')
const text = readFileSync(answerFile, 'utf8')
const answer: unknown = ready === 'ready' ? text : JSON.parse(text)

const server = Fastify({ logger: false })
server.removeAllContentTypeParsers()
server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
  done(null, parse(String(body)))
})
server.post('/v1/payments', (_request, reply) =>
  reply.header('content-type', 'application/json;charset=UTF-8').send(answer),
)

const url = await server.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`Bare Fastify listening on ${url}\n`)
process.once('SIGTERM', () => {
  void server.close().then(() => process.exit(0))
  server.server.closeAllConnections()
})
