/**
 * Who may know whom (the picture is in ARCHITECTURE.md). Every rule has a planted violation in test/arch/planted/,
 * in a folder of its name, which `npm test` expects to be reported by that rule and no other.
 */
const SPEC = '\\.spec\\.ts$';
const PRIVATE = '\\.(sql|table|dto|guard|controller|worker)\\.ts$';
/** One part of the program: src/flow/inbox, src/platform/database … The group is `$1` in the other half of a rule. */
const OWN_PART = '^src/((?:flow|operations|platform)/[^/]+)/';
const STORES = 'inbox|work|conflicts|entities|strategies|trace';

const npm = (names) => `(^|/)node_modules/(${names})/`;

module.exports = {
  forbidden: [
    {
      name: 'domain-knows-nothing',
      comment: 'Words and rules stay pure: no framework, database, queue, network or file; a few parsers are allowed.',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: SPEC },
      to: {
        pathNot: [
          '^src/domain/',
          '^config/crosswalk\\.schema\\.json$',
          npm('jsonata|yaml|ajv|fastest-levenshtein|re2js|temporal-polyfill'),
          '^(node:)?crypto$',
        ],
      },
    },
    {
      name: 'platform-knows-no-business',
      comment: 'Plumbing that knows who uses it cannot be used by anybody else.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(flow|operations)/' },
    },
    {
      name: 'flow-knows-no-operations',
      comment: 'Operations look at the journey and repair it; the journey goes on without them.',
      severity: 'error',
      from: { path: '^src/flow/' },
      to: { path: '^src/operations/' },
    },
    {
      name: 'ingest-reaches-inbox-only',
      comment: 'The door remembers and answers. What happens to an event later is none of its business.',
      severity: 'error',
      from: { path: '^src/flow/ingest/', pathNot: SPEC },
      to: { path: '^src/flow/', pathNot: '^src/flow/(ingest|inbox)/' },
    },
    {
      name: 'stores-know-no-sibling',
      comment: 'A store owns its tables and nothing else; whoever needs two of them is a conductor.',
      severity: 'error',
      from: { path: `^src/flow/(${STORES})/`, pathNot: SPEC },
      to: { path: '^src/flow/', pathNot: ['^src/flow/$1/', '^src/flow/parking/'] },
    },
    {
      name: 'id-map-knows-parking-only',
      comment: 'The map is a store, with one errand more: it releases what waited for a new external id.',
      severity: 'error',
      from: { path: '^src/flow/id-map/', pathNot: SPEC },
      to: { path: '^src/flow/', pathNot: '^src/flow/(id-map|parking)/' },
    },
    {
      name: 'only-conductors-combine',
      comment:
        'process-event and delivery bring the parts of the journey together. Parking moves work; reading is alone.',
      severity: 'error',
      from: { path: '^src/flow/(parking|reading)/', pathNot: SPEC },
      to: { path: '^src/flow/', pathNot: ['^src/flow/$1/', '^src/flow/work/'] },
    },
    {
      name: 'parking-has-four-callers',
      comment: 'Whoever parks or releases takes part in one order of locks, so it must be known who does.',
      severity: 'error',
      from: {
        path: '^src/(flow|operations)/',
        pathNot: ['^src/flow/(parking|process-event|id-map|delivery)/', '^src/operations/admin/', SPEC],
      },
      to: { path: '^src/flow/parking/' },
    },
    {
      name: 'private-to-their-folder',
      comment: 'SQL, tables, DTOs, guards, controllers and workers are how a part does its work, not what it offers.',
      severity: 'error',
      from: { path: OWN_PART, pathNot: SPEC },
      to: { path: `^src/.+${PRIVATE}`, pathNot: '^src/$1/' },
    },
    {
      name: 'private-to-their-part',
      comment: 'The same for files that belong to no part, such as main.ts and the command line.',
      severity: 'error',
      from: { path: '^src/', pathNot: [OWN_PART, SPEC] },
      to: { path: `^src/.+${PRIVATE}` },
    },
    {
      name: 'modules-import-modules',
      comment: 'Of other parts a module file names the module, and not what is inside.',
      severity: 'error',
      from: { path: `${OWN_PART}[^/]+\\.module\\.ts$` },
      to: { path: '^src/(flow|operations)/', pathNot: ['^src/$1/', '\\.module\\.ts$', PRIVATE] },
    },
    {
      name: 'app-module-imports-modules',
      comment: 'app.module.ts is the contents page: the modules in the order of the journey.',
      severity: 'error',
      from: { path: '^src/app\\.module\\.ts$' },
      to: { path: '^src/(flow|operations)/', pathNot: ['\\.module\\.ts$', PRIVATE] },
    },
    {
      name: 'bullmq-only-in-workers-and-queues',
      comment: 'A job is only an alarm clock for a row; whoever sees BullMQ elsewhere will start to trust it.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.worker\\.ts$', '^src/platform/queues/', SPEC] },
      to: { path: npm('bullmq|@nestjs/bullmq') },
    },
    {
      name: 'source-knows-no-tests',
      comment: 'The program must run without its tests, examples and benchmarks.',
      severity: 'error',
      from: { path: '^src/', pathNot: SPEC },
      to: { path: ['^(test|examples|bench)/', SPEC] },
    },
    {
      name: 'no-dev-packages',
      comment: 'An installation without development packages must run.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: SPEC },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere escapes every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '(^|/)dist/' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'What nobody imports is dead, unless it is where a program or a test begins.',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['^src/[^/]+\\.ts$', SPEC] },
      to: {},
    },
    {
      name: 'no-barrels',
      comment: 'An index.ts hides where things live and pulls in everything beside them.',
      severity: 'error',
      from: { path: '(^|/)index\\.ts$' },
      to: {},
    },
    {
      name: 'no-grab-bags',
      comment: 'A folder or file of this name says what its content has not: a subject.',
      severity: 'error',
      from: {},
      to: { path: '/(utils?|common|shared|helpers?|misc)(/|\\.ts$)', pathNot: 'node_modules/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^test/arch/planted/'] },
    // Types count: a part that only names another's type knows it all the same.
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
