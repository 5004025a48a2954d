import type { FastifyRequest } from 'fastify'

/** Whether the request prefers a type to JSON: the header `Accept` names it. */
export const accepts = ({ headers }: Pick<FastifyRequest, 'headers'>, type: string): boolean =>
  (headers.accept ?? '').split(',').some((each) => each.split(';', 1)[0]?.trim().toLowerCase() === type)

export const CSV_TYPE = 'text/csv; charset=utf-8'
