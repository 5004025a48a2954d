// Ends with 0 where the gateway of this container lives. It asks itself: its certificate need not bear that name.
import http from 'node:http'
import https from 'node:https'

const { PORT = '8080', TOLLGATE_TLS_CERT = '' } = process.env
const client = TOLLGATE_TLS_CERT === '' ? http : https
const options = { host: '127.0.0.1', port: PORT, path: '/healthz', timeout: 2_000, rejectUnauthorized: false }

client
  .get(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
