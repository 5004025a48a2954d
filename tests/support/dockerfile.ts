/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string
  /** What follows it, on one line. */
  readonly rest: string
}

/** The stages of a Dockerfile, each from its FROM on. */
export function stagesOf(text: string): readonly (readonly Instruction[])[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  const stages: Instruction[][] = []
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, rest })
  }
  return stages
}

/** The arguments of all instructions of a name, in their order. */
export const saying = (stage: readonly Instruction[], name: string): readonly string[] =>
  stage.filter((each) => each.name === name).map(({ rest }) => rest)
