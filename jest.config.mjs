/**
 * One project per kind of test. `unit` and `arch` need nothing but Node; the others share one PostgreSQL and one
 * Redis, started before the first of them and stopped after the last (jest runs a set-up file once, however many
 * projects name it). `long` is left out unless it is asked for: `npm run test:all`.
 */
const typescript = {
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/\\.crosswalk', '<rootDir>/test/arch/planted'],
  roots: ['<rootDir>'],
};

const services = {
  globalSetup: '<rootDir>/test/support/start-services.mjs',
  globalTeardown: '<rootDir>/test/support/stop-services.mjs',
};

const project = (displayName, testMatch, rest = {}) => ({ ...typescript, displayName, testMatch, ...rest });

export default {
  // One more than the two cores that it is made for: many tests wait, for leases, time-outs and processes that start.
  maxWorkers: 3,
  // Far above what any test needs: real services on a busy machine. A slower suite sets its own.
  testTimeout: 120_000,
  projects: [
    project('unit', [
      '<rootDir>/src/**/*.spec.ts',
      '<rootDir>/examples/**/*.spec.ts',
      '<rootDir>/bench/**/*.spec.ts',
      '<rootDir>/test/vendors/**/*.test.ts',
    ]),
    project('arch', ['<rootDir>/test/arch/**/*.test.ts']),
    project('contract', ['<rootDir>/test/contract/**/*.test.ts'], services),
    project('integration', ['<rootDir>/test/integration/**/*.test.ts'], services),
    project('e2e', ['<rootDir>/test/e2e/**/*.test.ts'], services),
    project('faults', ['<rootDir>/test/faults/**/*.test.ts'], services),
    project('long', ['<rootDir>/test/long/**/*.test.ts'], services),
  ],
};
