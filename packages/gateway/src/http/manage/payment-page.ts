import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Gateway } from '../../gateway.ts'
import { pageScripts } from '../../page-integrity/scripts.ts'
import { timeOf } from './instant.ts'

/** The scripts of the payment pages with their purposes, the result of the last check, and reports of browsers. */
export function paymentPageRoutes({ assets, pageIntegrity }: Gateway): FastifyPluginAsyncTypebox {
  return async (server) => {
    server.get('/payment-page', async () => {
      const { last, violations } = pageIntegrity
      return {
        scripts: pageScripts.map((script) => ({ ...script, integrity: assets.integrityOf(script.name) })),
        check: last && { at: timeOf(last.atMs), outcome: last.outcome, differences: last.differences },
        violations: violations.entries().map(({ labels: [page, directive], count }) => ({ page, directive, count })),
      }
    })
  }
}
