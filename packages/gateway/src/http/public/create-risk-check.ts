import { standaloneRiskCheck } from '@tollgate/operations'
import type { Route } from './route.ts'

/** "risk.score: returned for standalone risk requests and for payments with risk checks." */
export const createRiskCheck: Route = {
  operation: 'createRiskCheck',
  method: 'POST',
  path: '/v1/risk',
  handle: (gateway, call) => gateway.commands.execute(call, call.claim, () => standaloneRiskCheck(gateway, call)),
}
