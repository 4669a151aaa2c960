import { fileURLToPath } from 'node:url';

import js from '@eslint/js';
import formatjs from 'eslint-plugin-formatjs';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

import { UNUSED_FORMATS } from './frontend/tools/build/babel-drop-formats.js';
import { roomsRule } from './frontend/tools/checks/eslint-rooms.js';

const LEFT_OUT = 'The build leaves it out: see frontend/tools/build/babel-drop-formats.js';

/** Which room of frontend/src may import which. What stands lower knows nothing of what stands higher. */
const rooms = {
  app: [
    'navigation',
    'pages',
    'shell',
    'analytics',
    'session',
    'toast',
    'query',
    'ui',
    'i18n',
    'lazy',
    'errorReporting',
    'config',
    'styles',
  ],
  pages: [
    'navigation',
    'notifications',
    'shell',
    'analytics',
    'session',
    'toast',
    'query',
    'forms',
    'ui',
    'pictures',
    'i18n',
    'events',
    'calendar',
    'graphql',
    'lazy',
    'config',
  ],
  shell: ['notifications', 'analytics', 'session', 'toast', 'ui', 'pictures', 'i18n', 'lazy', 'config'],
  forms: ['ui', 'graphql', 'i18n'],
  ui: ['i18n'],
  analytics: ['ui', 'i18n', 'lazy', 'config'],
  navigation: ['app', 'pages', 'ui', 'i18n', 'lazy'],
  notifications: ['shell', 'session', 'query', 'i18n', 'ui'],
  events: ['calendar', 'session', 'query', 'i18n'],
  query: ['ui', 'i18n'],
  calendar: ['i18n'],
  graphql: ['i18n'],
  lazy: ['i18n'],
  i18n: ['lazy'],
  toast: ['lazy', 'ui', 'i18n', 'config'],
  session: ['lazy', 'graphql'],
  test: ['session', 'toast', 'i18n', 'config'],
  pictures: ['ui'],
  errorReporting: [],
  config: [],
};

export default defineConfig(
  globalIgnores([
    '.cache',
    'frontend/build',
    'frontend/src/graphql/generated.ts',
    'static',
    'staticfiles',
    '.venv',
    'templates',
  ]),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // An empty text is as good as none.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['frontend/src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest'], jsxA11y.flatConfigs.strict],
    plugins: { formatjs, rooms: { rules: { apart: roomsRule } } },
    languageOptions: { globals: globals.browser },
    rules: {
      'formatjs/no-literal-string-in-jsx': 'error',
      'rooms/apart': ['error', { root: fileURLToPath(new URL('frontend/src', import.meta.url)), rooms }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        ...UNUSED_FORMATS.map((property) => ({ property, message: LEFT_OUT })),
      ],
      'no-restricted-imports': [
        'error',
        {
          name: 'react-intl',
          importNames: UNUSED_FORMATS.map((name) =>
            name.replace('format', 'Formatted').replace('ToParts', 'Parts'),
          ),
          message: LEFT_OUT,
        },
      ],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', 'frontend/src/test/**'],
    rules: { 'formatjs/no-literal-string-in-jsx': 'off' },
  },
  {
    files: ['*.js', 'frontend/tools/**/*.js'],
    languageOptions: { globals: globals.node },
    // To the linter a cast in JSDoc is a comment; tsc checks these files.
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
);
