import { readdirSync } from 'node:fs';

import js from '@eslint/js';
import formatjs from 'eslint-plugin-formatjs';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const SOURCES = './frontend/src';
const TESTS = ['frontend/src/**/*.test.{ts,tsx}', 'frontend/src/test/**'];

/** The floors of frontend/src, from the top. A module may import modules of its own floor and of those below. */
const FLOORS = [
  ['app'],
  ['pages'],
  ['shell'],
  ['features', 'legal', 'consent'],
  ['session', 'forms'],
  ['ui'],
  ['lib', 'i18n', 'styles'],
];

/** The zones of `import-x/no-restricted-paths`. A page never imports another page. */
function zones(/** @type {string[]} */ ...alsoAllowed) {
  const allow = (/** @type {string} */ target, /** @type {string[]} */ names) => ({
    target: `${SOURCES}/${target}`,
    from: SOURCES,
    except: [...new Set([...names, ...alsoAllowed])].map((name) => `./${name}`),
  });
  const modules = FLOORS.flatMap((floor, index) => {
    const allowed = FLOORS.slice(index).flat();
    return floor.map((module) => allow(module, allowed));
  });
  const pages = readdirSync(`${SOURCES}/pages`).map((page) =>
    allow(`pages/${page}`, [`pages/${page}`, ...FLOORS.slice(2).flat()]),
  );
  return [...modules, ...pages, allow('admin', ['admin'])];
}

export default defineConfig(
  globalIgnores([
    '.cache',
    'frontend/build',
    'frontend/src/lib/api/generated.ts',
    'staticfiles',
    '.venv',
    'templates',
  ]),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A blank string counts as missing.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['frontend/src/**/*.{ts,tsx}'],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.tsx', '.ts', '.json'] })],
    },
    languageOptions: { globals: globals.browser },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: zones('test', 'shell', 'ui') }],
      'no-console': 'error',
    },
  },
  {
    files: ['frontend/src/**/*.{ts,tsx}'],
    ignores: TESTS,
    extends: [reactHooks.configs.flat['recommended-latest'], jsxA11y.flatConfigs.strict],
    plugins: { formatjs },
    rules: {
      'formatjs/no-literal-string-in-jsx': 'error',
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-extraneous-dependencies': ['error', { devDependencies: false }],
      'import-x/no-restricted-paths': ['error', { zones: zones() }],
    },
  },
  // Tests may call what is deprecated: they fail once it is removed.
  { files: [...TESTS, 'frontend/e2e/**'], rules: { '@typescript-eslint/no-deprecated': 'off' } },
  {
    files: ['frontend/*.js', 'frontend/tools/**/*.js'],
    languageOptions: { globals: globals.node },
    // The rule does not see casts in JSDoc; tsc checks these files.
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    // `make run` builds the site, and installs production dependencies only.
    files: ['frontend/webpack.config.js', 'frontend/tools/build/*.js'],
    ignores: ['frontend/tools/build/{make,generate}-*.js'],
    plugins: { 'import-x': importX },
    rules: { 'import-x/no-extraneous-dependencies': ['error', { devDependencies: false }] },
  },
  {
    files: ['static/**/*.js'],
    languageOptions: { sourceType: 'script', globals: globals.browser },
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  // The types of Lighthouse are installed for benchmarks only; the Makefile runs tsc there.
  { files: ['frontend/tools/bench/lighthouse/*.js'], extends: [tseslint.configs.disableTypeChecked] },
);
