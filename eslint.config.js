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

/** The modules of frontend/src, each with the modules that it may import: only those above it, so that there is no cycle. */
const MODULES = {
  admin: [],
  chunks: [],
  errorReporting: [],
  storage: [],
  styles: [],
  i18n: ['chunks'],
  calendar: ['i18n'],
  api: ['i18n'],
  ui: ['i18n'],
  config: ['i18n', 'ui'],
  loading: ['chunks', 'i18n', 'ui'],
  forms: ['api', 'chunks', 'i18n', 'ui'],
  session: ['api', 'chunks', 'storage'],
  toast: ['chunks', 'config', 'i18n', 'loading', 'ui'],
  routing: ['chunks', 'i18n', 'loading', 'toast', 'ui'],
  consent: ['chunks', 'config', 'i18n', 'loading', 'storage', 'toast', 'ui'],
  legal: ['chunks', 'config', 'consent', 'i18n', 'loading', 'routing', 'toast', 'ui'],
  'features/events': ['calendar', 'i18n', 'loading', 'session'],
  'features/notifications': ['i18n', 'loading', 'session', 'ui'],
  menus: [
    'chunks',
    'config',
    'consent',
    'features/notifications',
    'i18n',
    'loading',
    'session',
    'toast',
    'ui',
  ],
  layouts: ['config', 'consent', 'i18n', 'legal', 'menus', 'session', 'ui'],
};

/** The zones of `import-x/no-restricted-paths`. A page may import every module, but no other page. */
function zones(/** @type {string[]} */ ...alsoAllowed) {
  const pages = readdirSync(`${SOURCES}/pages`).map((page) => `pages/${page}`);
  const allowed = { ...MODULES, ...Object.fromEntries(pages.map((page) => [page, Object.keys(MODULES)])) };
  return Object.entries(allowed).map(([module, imports]) => ({
    target: `${SOURCES}/${module}`,
    from: SOURCES,
    except: [...new Set([module, ...imports, ...alsoAllowed])].map((name) => `./${name}`),
  }));
}

export default defineConfig(
  globalIgnores([
    '.cache',
    'frontend/build',
    'frontend/src/api/generated.ts',
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
      'import-x/no-restricted-paths': ['error', { zones: zones('test', 'layouts', 'menus') }],
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
    files: ['*.js', 'frontend/tools/**/*.js'],
    languageOptions: { globals: globals.node },
    // The rule does not see casts in JSDoc; tsc checks these files.
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    // `make run` builds the site, and installs production dependencies only.
    files: ['webpack.config.js', 'babel.config.js', 'frontend/tools/build/*.js'],
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
