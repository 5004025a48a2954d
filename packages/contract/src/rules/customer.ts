import { FINE, missing, type Rule } from './rule.ts'

const fullName = ['customer.givenName', 'customer.surname']

export const customerName: Rule = {
  name: 'customer-name',
  sentence: 'givenName and surname are required whenever any other customer field is sent.',
  blames: fullName,
  // Methods with a redirect are used with customer.email alone.
  legacy: false,
  structures: ['customer'],
  find: ({ form }) => missing(form, fullName),
}

const documents = ['customer.', 'shipping.customer.'].map((prefix) => ({
  type: `${prefix}identificationDocType`,
  id: `${prefix}identificationDocId`,
}))

export const identificationDocument: Rule = {
  name: 'identification-document',
  sentence: 'identificationDocType requires identificationDocId; identificationDocId requires identificationDocType.',
  blames: documents.flatMap(({ type, id }) => [type, id]),
  legacy: true,
  structures: ['customer', 'shipping'],
  find: ({ form }) =>
    documents.flatMap(({ type, id }) =>
      form.values.has(type) === form.values.has(id) ? FINE : missing(form, [type, id]),
    ),
}
