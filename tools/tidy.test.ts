import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { arrows } from './tidy/arrows.ts'
import { bans } from './tidy/bans.ts'
import { dependencies } from './tidy/dependencies.ts'
import { documents } from './tidy/documents.ts'
import { layers } from './tidy/layers.ts'
import { readRepository, withoutComments } from './tidy/repository.ts'
import { separations } from './tidy/separations.ts'
import { shapes } from './tidy/shapes.ts'
import { words } from './tidy/words.ts'

// The folder of the rules is excluded, because it contains an example of every violation.
const repository = readRepository(join(import.meta.dirname, '../..')).filter(
  ({ path }) => !path.startsWith('tools/tidy/'),
)

const rules = [...arrows, ...layers, ...separations, ...bans, ...shapes, ...dependencies, ...documents, ...words]

const isIn = (path: string) => (place: string) => place.startsWith(`${path}:`)

for (const { name, find, exceptions = [], badExample } of rules) {
  describe(name, () => {
    test('reports its bad example', () => expect(find(badExample)).not.toEqual([]))
    test('reports no violation in the repository', () => {
      const isException = (place: string) => exceptions.some((path) => isIn(path)(place))
      expect(find(repository).filter((place) => !isException(place))).toEqual([])
    })
    if (exceptions.length === 0) return
    test('has no exception for a file without a violation', () => {
      const places = find(repository)
      expect(exceptions.filter((path) => !places.some(isIn(path)))).toEqual([])
    })
  })
}

test('withoutComments removes only comments from code', () => {
  const code = "const url = 'http://x' // why\nconst quote = /['\"]/ /* because\nof this */ + `//${1}`\n"
  expect(withoutComments(code)).toBe(
    "const url = 'http://x'       \nconst quote = /['\"]/           \n           + `//${1}`\n",
  )
})
