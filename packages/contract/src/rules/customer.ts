import { NO_VIOLATIONS, missing, type Rule, type Subject } from './rule.ts'

const fullName = ['customer.givenName', 'customer.surname'] as const

export const customerName: Rule = {
  sentence: 'givenName and surname are required whenever any other customer field is sent.',
  parameters: fullName,
  strictOnly: true,
  triggers: ['customer'],
  check: (subject) => (hasOnlyEmailForRedirect(subject) ? NO_VIOLATIONS : missing(subject.form, fullName)),
}

/** Whether the only data of the customer are the e-mail address, for a redirect brand, whose provider needs no name. */
function hasOnlyEmailForRedirect({ form: { sent }, brand }: Subject): boolean {
  if (brand?.flow !== 'async') return false
  return sent.every(({ structure, name }) => structure !== 'customer' || name === 'customer.email')
}

const documents = (['customer', 'shipping.customer'] as const).map((person) => ({
  type: `${person}.identificationDocType` as const,
  id: `${person}.identificationDocId` as const,
}))

export const identificationOfBrand: Rule = {
  sentence: 'customer.identificationDocType: mandatory for some payment types.',
  parameters: ['customer.identificationDocType', 'customer.identificationDocId'],
  // Older clients do not send the document: the page of the provider requests it.
  strictOnly: true,
  accounts: ['new'],
  check: ({ form, brand }) =>
    brand?.identification
      ? missing(form, ['customer.identificationDocType', 'customer.identificationDocId'])
      : NO_VIOLATIONS,
}

export const identificationDocument: Rule = {
  sentence: 'identificationDocType requires identificationDocId; identificationDocId requires identificationDocType.',
  parameters: documents.flatMap(({ type, id }) => [type, id]),
  triggers: documents.flatMap(({ type, id }) => [type, id]),
  check: ({ form }) =>
    documents.flatMap(({ type, id }) =>
      form.values.has(type) === form.values.has(id) ? NO_VIOLATIONS : missing(form, [type, id]),
    ),
}
