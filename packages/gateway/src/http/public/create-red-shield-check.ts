import { createRiskCheck } from './create-risk-check.ts'
import type { Route } from './route.ts'

/** The path under which older clients know the risk check. */
export const createRedShieldCheck: Route = {
  ...createRiskCheck,
  operation: 'createRedShieldCheck',
  path: '/v2/redShield',
}
