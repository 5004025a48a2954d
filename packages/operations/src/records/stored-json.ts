import { type Echo, InvariantError } from '@tollgate/contract'
import { type Static, type StaticEncode, type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

/**
 * Creates a function that reads stored JSON and checks its shape. The check is compiled at its first use, because the
 * compilation takes a millisecond and a start of the gateway needs few checks.
 *
 * @param prepare changes the value before the check, such as a list of values to an object
 * @throws InvariantError on JSON of another shape: the data were damaged or altered by hand
 */
export function storedReader<S extends TSchema>(
  schema: S,
  prepare: (value: unknown) => unknown = (value) => value,
): (text: string) => StaticEncode<S> {
  let validator: Validator<{}, S> | undefined
  return (text) => {
    const value: unknown = prepare(JSON.parse(text))
    validator ??= Compile(schema)
    if (!validator.Check(value)) throw new InvariantError('stored JSON has an unknown shape')
    return value
  }
}

/** The JSON of an object that is usually empty: the test costs less than `JSON.stringify`. */
export const jsonOf = (value: object): string => (Object.keys(value).length === 0 ? '{}' : JSON.stringify(value))

/** A member that may be absent: JSON leaves out undefined members. */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(Type.Unsafe<Static<S> | undefined>(schema))

/** One of the given texts. */
export const oneOf = <const T extends string>(texts: readonly T[]) => Type.Enum([...texts])

/** Texts by name. */
export const texts = Type.Record(Type.String(), Type.String())

const structure = Type.Cyclic(
  {
    structure: Type.Record(Type.String(), Type.Ref('value')),
    value: Type.Union([Type.String(), Type.Ref('structure'), Type.Array(Type.Ref('value'))]),
  },
  'structure',
)

/** Reads a stored echo, or another stored JSON of texts, structures and lists, such as an outcome. */
export const readEcho: (text: string) => Echo = storedReader(structure)
