import { Argument, type Command, Option } from 'commander'
import { limits } from './limits.ts'
import { CommandError, manage, type Method } from './manage-client.ts'

/** A command that makes one call of the management API of a running gateway, and prints the answer. */
export interface ManageCall {
  /** The command's name and arguments. */
  readonly command: string
  readonly method: Method
  /** The path below /manage/v1. In `/tokens/:id`, the value of the argument or parameter `id` replaces `:id`. */
  readonly path: string
  readonly description: string
  /** The parameters that are not in the path are sent in the query of a GET, or in the body of another call. */
  readonly parameters: Parameters
  /** Reads the whole body from a file, whose path is the command's last argument; `parameters` are not in the body. */
  readonly readBody?: (file: string) => object
}

/** An option, an argument or a constant for each parameter of the API, by its name. */
export type Parameters = Readonly<Record<string, Option | Argument | string>>

export const call = (
  command: string,
  method: Method,
  path: string,
  description: string,
  parameters: Parameters = {},
): ManageCall => ({ command, method, path, description, parameters })

export const option = (flags: string, description?: string): Option => new Option(flags, description)

export const requiredOption = (flags: string, description?: string): Option =>
  option(flags, description).makeOptionMandatory()

/** An option whose value is a whole number of seconds. */
export const secondsOption = (flags: string, description: string): Option =>
  option(flags, description).argParser((text) => {
    const [name] = flags.split(' ', 1)
    if (!/^\d+$/.test(text) || text.length > limits.secondsDigitsMax)
      throw new CommandError(`${name} must be a whole number of seconds`)
    return Number(text)
  })

/** Adds a command to the group for each call. */
export function addCalls(group: Command, calls: readonly ManageCall[]): void {
  for (const { command: nameAndArguments, method, path, description, parameters, readBody } of calls) {
    const command = group.command(nameAndArguments).description(description)
    for (const parameter of Object.values(parameters)) {
      if (parameter instanceof Option) command.addOption(parameter)
      if (parameter instanceof Argument) command.addArgument(parameter)
    }
    command.action(async () => {
      const values = valuesOf(command, parameters)
      const target = path.replaceAll(/:(\w+)/g, (_, name: string) => {
        const value = encodeURIComponent(String(values.get(name)))
        values.delete(name)
        return value
      })
      const isRead = method === 'GET'
      const members = isRead || values.size === 0 ? undefined : Object.fromEntries(values)
      const body = readBody?.(command.args.at(-1) ?? '') ?? members
      const answer = await manage(method, isRead ? `${target}${query(values)}` : target, body)
      process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
    })
  }
}

/** The values of arguments and parameters by name; undefined for options that are not given. */
function valuesOf(command: Command, parameters: Parameters): Map<string, unknown> {
  const args: readonly unknown[] = command.processedArgs
  const values = new Map<string, unknown>(
    command.registeredArguments.map((argument, index) => [argument.name(), args[index]]),
  )
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter instanceof Option) values.set(name, command.getOptionValue(parameter.attributeName()))
    if (typeof parameter === 'string') values.set(name, parameter)
  }
  return values
}

/** The query string of the given options, with a leading question mark; empty without options. */
function query(values: ReadonlyMap<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of values)
    if (typeof value === 'string' || typeof value === 'number') parameters.append(name, String(value))
  return parameters.size === 0 ? '' : `?${String(parameters)}`
}
