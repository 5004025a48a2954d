import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Gateway } from '../../gateway.ts'
import { pageScripts } from '../../page-integrity/scripts.ts'
import { timeOf } from './instant.ts'

/** Shows the scripts of the payment pages with their purposes, the last check, and the counts of violation reports. */
export function paymentPageRoutes({ assets, pageIntegrity }: Gateway): FastifyPluginAsyncTypebox {
  return async (server) => {
    server.get('/payment-page', async () => {
      const { lastCheck, violations } = pageIntegrity
      return {
        scripts: pageScripts.map((script) => ({ ...script, integrity: assets.integrityOf(script.name) })),
        check: lastCheck && {
          at: timeOf(lastCheck.atMs),
          outcome: lastCheck.outcome,
          differences: lastCheck.differences,
        },
        violations: violations.entries().map(({ labels: [page, directive], count }) => ({ page, directive, count })),
      }
    })
  }
}
