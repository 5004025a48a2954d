import { createServer, type Socket } from 'node:net'

// A provider that approves every payment, in the place of another gateway. Usage: upstream-stub
// It has only the part of HTTP that the gateway uses, because Node's HTTP server would take processor time from the
// gateway.

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json;charset=UTF-8\r\nContent-Length: '
const HEAD_END = '\r\n\r\n'
let payments = 0

/** Answers the requests of a connection, of which one is in flight at a time. */
function serve(socket: Socket): void {
  let received = ''
  socket.setNoDelay().on('data', (chunk) => {
    received += chunk.toString('latin1')
    const end = received.indexOf(HEAD_END)
    if (end < 0) return
    const start = end + HEAD_END.length
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received.slice(0, start))?.[1] ?? 0)
    if (received.length < start + length) return
    const body = answerTo(new URLSearchParams(received.slice(start, start + length)))
    received = ''
    socket.write(`${HEAD}${body.length}${HEAD_END}${body}`)
  })
  socket.on('error', () => undefined)
}

/** The approval of a payment. Its values are those of the workload, which are in ASCII. */
function answerTo(form: URLSearchParams): string {
  payments += 1
  const sent = ['paymentType', 'paymentBrand', 'amount', 'currency', 'merchantTransactionId'].flatMap((name) => {
    const value = form.get(name)
    return value === null ? [] : [[name, value]]
  })
  return JSON.stringify({
    id: String(payments).padStart(32, '0'),
    ...Object.fromEntries(sent),
    result: { code: '000.100.110', description: 'Request successfully processed in the test environment' },
    resultDetails: { ConnectorTxID1: String(payments), clearingInstituteName: 'Stub' },
    timestamp: '2026-01-01 00:00:00+0000',
    ndc: 'stub',
  })
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address)
    process.stdout.write(`The provider is listening on http://127.0.0.1:${address.port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
