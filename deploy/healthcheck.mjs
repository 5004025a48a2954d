// Exits with 0 if the gateway of this container is alive, otherwise with 1. The gateway's certificate is not verified,
// because it need not contain the loopback address.
import http from 'node:http'
import https from 'node:https'

const { PORT = '8080', TOLLGATE_TLS_CERT = '' } = process.env
const client = TOLLGATE_TLS_CERT === '' ? http : https
const options = { host: '127.0.0.1', port: PORT, path: '/healthz', timeout: 2_000, rejectUnauthorized: false }

client
  .get(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
