// The built files of the tests, by the suffixes that CONTRIBUTING.md lists.
const built = (name) => `{packages/*,examples/*,tools,tests}/dist/**/${name}.test.js`

/** Tests within one process that run once, whatever the storage: those without a further suffix. */
export const unit = { include: [built('*')], exclude: [built('*.{storage,system,postgres,browser}')] }
/** Tests of the service, on any storage. */
export const storage = built('*.storage')
/** Tests of the whole system, or of several processes. */
export const system = built('*.system')
/** Tests that need PostgreSQL. */
export const postgres = built('*.postgres')
/** Tests that need a browser. */
export const browser = built('*.browser')

export const isLong = process.env.TOLLGATE_TEST_LONG === '1'

/**
 * A vitest project. Tests run as built, so that the shipped code is tested. The files of a worker share one process and
 * its loaded, warmed-up modules, which makes the tests several times as fast. Modules keep no state that the tests of
 * another file could see.
 */
export const project = (name, files, options = {}) => ({
  test: {
    name,
    ...files,
    isolate: false,
    server: { deps: { external: [/\/dist\/(?!.*\.test\.js)/] } },
    testTimeout: isLong ? 3_600_000 : 120_000,
    hookTimeout: 60_000,
    // The time until a polled value appears depends on the load of the machine, not on the code.
    expect: { poll: { timeout: 60_000 } },
    ...options,
  },
})
