import { brands, isBrand } from './brands.ts'
import { type Form, isSent, MASK, type ParameterError, type RequestParameters } from './form.ts'
import { limits } from './limits.ts'
import { type ParameterName, type ParameterRow, parseName, rowsOf, structureOf } from './names.ts'
import { type Operation, type OperationName, operations } from './operations.ts'
import type { Format, Row, Surface } from './row.ts'
import { EMPTY, type Rule, type Subject } from './rules/rule.ts'
import { InvariantError } from './invariant-error.ts'
import { rules } from './rules/rules.ts'

/** `strict`: the contract exactly. `legacy`: also requests of deployed clients of older platforms. */
export type Compatibility = 'strict' | 'legacy'

/**
 * Validates a form: decoding problems, formats, parameters that the operation refuses and requires, and the rules
 * between parameters.
 *
 * @param form decoded on the surface of the operation
 * @returns the first error of each invalid parameter (result code 200.300.404): unknown parameters first, then the
 * others in the order of the contract; empty for a valid form
 */
export function checkForm(
  form: Form,
  operation: OperationName,
  { compatibility }: CheckOptions,
): readonly ParameterError[] {
  const { surface } = operations[operation]
  if (form.surface !== surface) throw new InvariantError(`the form of ${operation} must be of the surface ${surface}`)
  if (form.isTooLarge) return form.problems
  const errors: ParameterError[] = [...form.problems]
  if (compatibility !== 'legacy') {
    for (const name of form.repeated) errors.push(errorOf(form, name, REPEATED))
    if (form.unknown.length > 0) errors.push(...unknownErrors(form, operation))
  }
  return check(form, operation, compatibility, errors)
}

/** As `checkForm`, for parameters that are at least partly stored and were therefore decoded before. */
export const checkParameters = (
  parameters: RequestParameters,
  operation: OperationName,
  { compatibility }: CheckOptions,
): readonly ParameterError[] => check(parameters, operation, compatibility, [])

interface CheckOptions {
  readonly compatibility: Compatibility
}

const errorOf = ({ values, secrets }: RequestParameters, name: ParameterName, message: string): ParameterError => ({
  name,
  value: secrets.has(name) ? MASK : (values.get(name) ?? ''),
  message,
})

/** @param errors the errors of earlier checks; of several errors of a parameter, the first is returned */
function check(
  form: RequestParameters,
  operation: OperationName,
  compatibility: Compatibility,
  errors: ParameterError[],
): readonly ParameterError[] {
  const { surface, required } = operations[operation]
  const checks = (checksOf[compatibility][operation] ??= checksFor(operation, compatibility))
  const structures = new Set<string>()
  let previousStructure = ''
  let triggered = ALWAYS
  for (const { name, order, structure } of form.sent) {
    // Parameters of a structure are usually sent one after another.
    if (structure !== previousStructure) structures.add(structure)
    previousStructure = structure
    const parameter = checks.parameters[order]
    if (parameter === undefined) throw new InvariantError('the form contains a parameter of another surface')
    const { format, refusal, triggers } = parameter
    triggered |= triggers
    const value = form.values.get(name)
    if (refusal !== undefined) errors.push({ name, value: value ?? MASK, message: refusal })
    else if (value !== undefined) {
      if (!format.accepts(value)) errors.push({ name, value, message: format.message })
    } else if (!form.secrets.get(name)?.use((bytes) => format.acceptsBytes?.(bytes)))
      errors.push({ name, value: MASK, message: format.message })
  }
  for (const name of required) {
    if (!isSent(form, name)) errors.push({ name, value: '', message: EMPTY })
  }
  const code = form.values.get('paymentBrand') ?? ''
  const brand = isBrand(code) ? brands[code] : undefined
  const subject: Subject = { form, name: operation, operation: operations[operation], brand, structures }
  for (const { rule, bit } of checks.rules) {
    if ((bit & triggered) === 0) continue
    for (const { name, message } of rule.check(subject)) errors.push(errorOf(form, name, message))
  }
  return errors.length === 0 ? errors : sortedErrors(surface, errors)
}

const REPEATED = 'must be sent once'

/** Only forms of queries and reports list unknown names: an ignored filter would return too many transactions. */
function unknownErrors({ surface, unknown }: Form, operation: OperationName): readonly ParameterError[] {
  const { refused } = operations[operation]
  const accepted = rowsOf(surface)
    .map((row) => row.name)
    .filter((name) => !Object.hasOwn(refused, name))
  const message = `must be a parameter of this query, one of [${accepted.join(', ')}]`
  return unknown.map((name) => ({ name, value: '', message }))
}

/** The check of a parameter in an operation. */
interface ParameterCheck {
  readonly format: Format
  /** The error message, if the operation refuses the parameter. */
  readonly refusal: string | undefined
  /** The bits of the rules that the parameter triggers. */
  readonly triggers: number
}

/** A rule in an operation. */
interface RuleCheck {
  readonly rule: Rule
  /** A bit of its own, or ALWAYS for a rule without triggers. */
  readonly bit: number
}

/** The bit of the rules that apply to every form. */
const ALWAYS = 1

/** The checks of an operation. */
interface Checks {
  /** One check for each row of the surface, in the order of `rowsOf`. */
  readonly parameters: readonly ParameterCheck[]
  /** The rules that apply, in the order of the contract. */
  readonly rules: readonly RuleCheck[]
}

/** The checks of the operations requested so far: those of all operations would add a tenth to the time of a start. */
const checksOf: Readonly<Record<Compatibility, Partial<Record<OperationName, Checks>>>> = { strict: {}, legacy: {} }

function checksFor(name: OperationName, compatibility: Compatibility): Checks {
  const operation: Operation = operations[name]
  const { refused, formats, by, account } = operation
  const isLegacy = compatibility === 'legacy'
  const applies = (rule: Rule): boolean =>
    !(isLegacy && rule.strictOnly) &&
    (by !== 'shopper' || rule.appliesToShopper === true) &&
    rule.operations?.some((each) => each === name) !== false &&
    rule.accounts?.includes(account) !== false
  const ruleChecks = withBits(Object.values(rules).filter(applies))
  const parameterCheck = (row: ParameterRow): ParameterCheck => {
    const { format, legacy }: Pick<Row, 'format' | 'legacy'> = formats[row.name] ?? row
    const structure = structureOf(row.name)
    const triggered = ruleChecks.filter(
      ({ rule: { triggers = [] } }) => triggers.includes(structure) || triggers.includes(row.name),
    )
    return {
      format: (isLegacy && legacy) || format,
      refusal: refused[row.name],
      triggers: triggered.reduce((bits, { bit }) => bits | bit, 0),
    }
  }
  return { parameters: rowsOf(operation.surface).map(parameterCheck), rules: ruleChecks }
}

/** Gives each rule with triggers a bit of its own. */
function withBits(applying: readonly Rule[]): readonly RuleCheck[] {
  let last = ALWAYS
  const ruleChecks = applying.map((rule) => ({ rule, bit: rule.triggers === undefined ? ALWAYS : (last *= 2) }))
  if (last > 2 ** 31) throw new InvariantError('an operation has more than 31 rules with triggers')
  return ruleChecks
}

/** The first error of each parameter, in the order of the contract. Values are shortened, and card numbers masked. */
function sortedErrors(surface: Surface, errors: readonly ParameterError[]): readonly ParameterError[] {
  const first = new Map<string, ParameterError>()
  for (const error of errors) if (!first.has(error.name)) first.set(error.name, error)
  return Array.from(first.values(), ({ name, value, message }) => ({
    order: parseName(surface, name)?.order ?? -1,
    error: { name, value: displayable(value), message },
  }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ error }) => error)
}

/** Any parameter may contain a card number by mistake: a value that looks like one is masked. */
function displayable(value: string): string {
  const start = value.slice(0, limits.errorValueMax)
  return /[0-9](?:[ .-]?[0-9]){11}/.test(start) ? MASK : start
}
