import { answerSchema, formSchema, type JsonSchema, type SchemaSource } from './json-schema.ts'
import { isParameter, type ParameterRow } from './names.ts'
import { type Operation, type OperationName, operations, servedOperations } from './operations.ts'
import { requiredStructures, type ResponseKind, type ResponseShape, responses } from './responses.ts'
import type { Row, Section } from './row.ts'
import { furtherSections, type RowName, sections } from './sections.ts'

/** A reference to a schema among the components of the document. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Names of schemas of answers that differ from the kind of answer. */
const answerNames: Readonly<Partial<Record<ResponseKind, string>>> = {
  reference: 'ReferencingPayment',
  queried: 'QueriedPayment',
  payments: 'QueriedPayments',
  record: 'QueriedRecord',
  records: 'QueriedRecords',
  aggregationItem: 'SettlementAggregation',
  reconciliationItem: 'SettlementRecord',
  aggregations: 'SettlementSummary',
  aggregation: 'SettlementRecords',
  aggregationsPage: 'SettlementSummaryPage',
  aggregationPage: 'SettlementRecordsPage',
}

/** The name of a kind of answer among the schemas: `RiskCheck`. */
export const answerName = (kind: ResponseKind): string => answerNames[kind] ?? pascal(kind)

/** The name of an operation's form among the schemas: `CreatePaymentRequest`. */
export const requestName = (name: OperationName): string => `${pascal(name)}Request`

/** `Point of sale` becomes `PointOfSale`. */
const pascal = (title: string): string =>
  title
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** The parameters of a section, without request headers. */
export const parameterRows = ({ rows }: Section<RowName>): readonly ParameterRow[] => rows.filter(isParameter)

const paymentSections = sections.filter(({ surface }) => surface === 'payment')
const paymentRows = paymentSections.flatMap(parameterRows)
const forms = servedOperations.filter((name) => operations[name].method === 'POST')

/**
 * The operations except the creation, change and submission of checkouts, whose parameters are divided between merchant
 * and shopper. The forms of these general operations accept most parameters.
 */
const generalOperations = servedOperations.filter(
  (name) => operations[name].account !== 'awaited' && operations[name].by !== 'shopper',
)

/** Whether one of the general operations refuses the parameter or narrows its format. */
const isSpecial = ({ name }: Row): boolean =>
  generalOperations.some(
    (operation) =>
      Object.hasOwn(operations[operation].refused, name) || Object.hasOwn(operations[operation].formats, name),
  )

const sectionSchemas = Object.fromEntries(
  paymentSections
    .map((section) => [pascal(section.title), parameterRows(section).filter((row) => !isSpecial(row))] as const)
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => [`${name}Parameters`, formSchema(rows)]),
)

/**
 * The schema of an operation's form: the common parameters, by reference, and those of the operation. The form of the
 * shopper's operation contains only the payment parameters that it does not refuse.
 */
const requestSchema = ({ required, refused, formats, by }: Operation): JsonSchema => {
  if (by === 'shopper') return formSchema(paymentRows.filter(({ name }) => !Object.hasOwn(refused, name)))
  const withFormat = (row: ParameterRow): Row => ({ ...row, ...formats[row.name] })
  const hasOwnFormat = ({ name }: Row): boolean => Object.hasOwn(formats, name)
  const ownFields = [
    ...paymentRows.filter((row) => isSpecial(row) && !Object.hasOwn(refused, row.name)),
    ...furtherSections.flatMap(parameterRows).filter(hasOwnFormat),
  ].map(withFormat)
  return { allOf: [schemaRef('PaymentParameters'), { ...formSchema(ownFields), required }] }
}

const listSchema = ({
  name,
  isAlwaysPresent,
  items = 'record',
  numbers,
}: NonNullable<ResponseShape['list']>): JsonSchema => ({
  type: 'object',
  properties: {
    [name]: { type: 'array', items: schemaRef(answerName(items)) },
    ...Object.fromEntries(
      numbers?.fields.map((field) => [field.name, { type: 'integer', description: field.note }]) ?? [],
    ),
  },
  ...(isAlwaysPresent && { required: [name] }),
})

const kindSchema = (kind: ResponseKind): JsonSchema => {
  const { description, sections: tables, id, required, echo, list } = responses[kind]
  const identified = (field: SchemaSource): SchemaSource =>
    field.name === 'id' && id ? { ...field, format: id } : field
  const fields = tables.flatMap((table) => table.fields).map(identified)
  const needed = fields.filter(({ need }) => need === 'R').map(({ name }) => name)
  const structures = requiredStructures.filter((structure) =>
    fields.some(
      ({ name, need }) => need === 'R' && (name.startsWith(`${structure}.`) || name.startsWith(`${structure}[`)),
    ),
  )
  const ownSchema = answerSchema(fields, new Set([...structures, ...needed, ...required]))
  const parts = [ownSchema, ...(echo ? [schemaRef('EchoedStructures')] : []), ...(list ? [listSchema(list)] : [])]
  return { description, ...(parts.length > 1 ? { allOf: parts } : ownSchema) }
}

/** A row with its widest format, that of legacy channels: an echoed value may have any format that is accepted. */
const widest = (row: Row): SchemaSource => ({ ...row, format: row.legacy ?? row.format })

/**
 * Optional fields that answers no longer have. They stay in the document, because no field is removed within a version.
 */
const formerlyEchoed: ReadonlySet<string> = new Set(['merchantMemo'])

const echoedStructures = answerSchema(
  paymentRows.filter(({ name, echo }) => echo || formerlyEchoed.has(name)).map(widest),
  new Set(),
)

/**
 * The schemas of forms and answers by name.
 *
 * @param kinds the kinds of answers that the document needs
 */
export const componentSchemas = (kinds: readonly ResponseKind[]): Readonly<Record<string, JsonSchema>> => ({
  ...sectionSchemas,
  PaymentParameters: { allOf: Object.keys(sectionSchemas).map(schemaRef) },
  ...Object.fromEntries(forms.map((name) => [requestName(name), requestSchema(operations[name])])),
  EchoedStructures: echoedStructures,
  ...Object.fromEntries(kinds.map((kind) => [answerName(kind), kindSchema(kind)])),
})
