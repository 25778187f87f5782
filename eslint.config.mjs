import tseslint from 'typescript-eslint';

/** What a reader may rely on everywhere; how the code should read beyond that is in CONTRIBUTING.md. */
export default tseslint.config(
  { ignores: ['dist/', 'coverage/', '.crosswalk/', 'test/arch/planted/', 'clients/', 'console/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', { max: 3 }],
      'no-restricted-syntax': [
        'error',
        ...[
          'FunctionDeclaration',
          'ArrowFunctionExpression',
          'MethodDefinition[kind!="constructor"] > FunctionExpression',
        ].map((kind) => ({
          selector: `${kind}[params.length>4]`,
          message: 'More than four arguments become one named object.',
        })),
      ],
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A number, or null in a log line, says in a template exactly what it is.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Nest's modules are classes without members; their decorators carry everything.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // `async` without `await` is how a function promises to reject instead of throw.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // `[...text]` is how code points are counted here; nobody takes them for letters.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // Options of libraries are declared as classes and given as plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // A suite is one long function by nature, and a table of cases one long file.
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
  {
    // These talk to a person at a terminal.
    files: [
      'src/cli.ts',
      'src/cli/**/*.ts',
      'src/main.ts',
      'src/migrate.ts',
      'src/openapi.ts',
      'bench/**/*.ts',
      'examples/**/*.ts',
      'test/**/*.ts',
    ],
    rules: { 'no-console': 'off' },
  },
);
