import { readdirSync, readFileSync } from 'node:fs';

import { defineConfig } from 'oxlint';

/** @type {{ devDependencies: Record<string, string> }} */
const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const TESTS = ['src/**/*.test.{ts,tsx}', 'src/test/**'];

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

const BUILT_FROM = {
  regex: `^(${Object.keys(devDependencies).join('|')})(/|$)`,
  message: '`make run` builds the site, and installs production dependencies only.',
};

/**
 * Forbid imports from some folders of frontend/src, and of what the other patterns match.
 *
 * @param {string[]} folders
 * @param {{ regex: string; message: string }[]} patterns
 * @returns {import('oxlint').OxlintOverride['rules']}
 */
function forbid(folders, ...patterns) {
  const regex = `^(\\.\\./)+(${folders.join('|')})/`;
  const floors = { regex, message: 'It is above (FLOORS in frontend/oxlint.config.js), or of another page.' };
  return { 'no-restricted-imports': ['error', { patterns: [floors, ...patterns] }] };
}

const floors = FLOORS.flatMap((floor, index) => {
  const pages = floor.includes('pages') ? readdirSync(new URL('src/pages', import.meta.url)) : [];
  const above = ['admin', ...FLOORS.slice(0, index).flat(), ...pages];
  const aboveTests = above.filter((name) => name !== 'shell' && name !== 'ui');
  return [
    { files: floor.map((name) => `src/${name}/**`), rules: forbid(['test', ...above], BUILT_FROM) },
    { files: floor.map((name) => `src/${name}/**/*.test.{ts,tsx}`), rules: forbid(aboveTests) },
  ];
});

export default defineConfig({
  plugins: ['typescript', 'oxc', 'import', 'react', 'jsx-a11y'],
  categories: { correctness: 'error', suspicious: 'error', pedantic: 'error' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['/build', 'src/lib/api/generated.ts', 'tools/bench/lighthouse'],
  rules: {
    // Of the categories.
    'import/max-dependencies': 'off',
    'import/no-unassigned-import': 'off',
    'max-lines': 'off',
    'max-lines-per-function': 'off',
    'no-inline-comments': 'off',
    'no-loop-func': 'off',
    'no-negated-condition': 'off',
    'no-promise-executor-return': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'oxc/no-this-in-exported-function': 'off', // a loader of webpack gets it
    'require-await': 'off', // typescript/require-await knows what returns a promise
    'require-unicode-regexp': 'off',
    'sort-vars': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }], // a blank string is missing
    'typescript/prefer-readonly-parameter-types': 'off',
    'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
    'typescript/strict-boolean-expressions': 'off',
    'typescript/strict-void-return': 'off',
    // Of typescript-eslint's strict and stylistic sets.
    'no-empty': 'error',
    'no-empty-function': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'typescript/adjacent-overload-signatures': 'error',
    'typescript/array-type': 'error',
    'typescript/consistent-indexed-object-style': 'error',
    'typescript/consistent-type-assertions': 'error',
    'typescript/consistent-type-definitions': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/dot-notation': 'error',
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-inferrable-types': 'error',
    'typescript/no-invalid-void-type': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-condition': 'error',
    'typescript/non-nullable-type-assertion-style': 'error',
    'typescript/prefer-find': 'error',
    'typescript/prefer-for-of': 'error',
    'typescript/prefer-function-type': 'error',
    'typescript/prefer-optional-chain': 'error',
    'typescript/prefer-reduce-type-parameter': 'error',
    'typescript/prefer-regexp-exec': 'error',
    'typescript/prefer-string-starts-ends-with': 'error',
    'typescript/unified-signatures': 'error',
    'typescript/use-unknown-in-catch-callback-variable': 'error',
  },
  overrides: [
    {
      files: ['src/**'],
      rules: {
        'import/no-cycle': ['error', { ignoreExternal: true }],
        'jsx-a11y/prefer-tag-over-role': 'off',
        'no-console': 'error',
        'react/exhaustive-effect-dependencies': 'off',
        'react/hooks': 'off', // beside rules-of-hooks
        'react/jsx-no-literals': [
          'error',
          { restrictedAttributes: ['alt', 'aria-label', 'placeholder'], allowedStrings: [''] },
        ],
        'react/no-unstable-nested-components': 'off',
        'react/react-in-jsx-scope': 'off',
      },
    },
    ...floors,
    { files: ['src/admin/**'], excludeFiles: TESTS, rules: forbid(['.+'], BUILT_FROM) },
    {
      // `make run` builds the site with them.
      files: ['webpack.config.js', 'tools/build/*.js'],
      excludeFiles: ['tools/build/{make,generate}-*.js'],
      rules: { 'no-restricted-imports': ['error', { patterns: [BUILT_FROM] }] },
    },
    { files: TESTS, rules: { 'react/jsx-no-literals': 'off', 'react/no-children-prop': 'off' } },
    // Tests may call what is deprecated: they fail once it is removed.
    { files: [...TESTS, 'e2e/**'], rules: { 'typescript/no-deprecated': 'off' } },
    {
      // The rules do not see casts in JSDoc; tsc checks these files.
      files: ['**/*.js'],
      rules: {
        'typescript/no-unnecessary-type-assertion': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/non-nullable-type-assertion-style': 'off',
      },
    },
    { files: ['e2e/**'], rules: { 'react/rules-of-hooks': 'off' } }, // `use` is of Playwright
  ],
});
