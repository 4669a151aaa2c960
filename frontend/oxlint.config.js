import { readdirSync, readFileSync } from 'node:fs';

import { defineConfig } from 'oxlint';

const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const list = (/** @type {string} */ path) => readdirSync(new URL(path, import.meta.url));

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

/** @type {{ dependencies: Record<string, string> }} */
const { dependencies } = JSON.parse(read('../package.json'));
/** @type {{ packages: Record<string, unknown> }} */
const { packages } = JSON.parse(read('../package-lock.json'));
const installed = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));

const UNDECLARED_PACKAGES = {
  regex: `^(${installed.filter((name) => name && !(name in dependencies)).join('|')})(/|$)`,
  message: '`make run` builds the site, and installs production dependencies only.',
};

const OTHER_PAGES = {
  regex: `^(\\.\\./)+(${list('src/pages').join('|')})/`,
  message: 'A page imports no other page.',
};

/**
 * Return the rule that allows a module of frontend/src imports of some modules only.
 *
 * @param {string[]} allowed
 * @param {{ regex: string; message: string }[]} patterns of other imports that are forbidden
 * @returns {import('oxlint').OxlintOverride['rules']}
 */
function allow(allowed, ...patterns) {
  const others = list('src').filter((name) => !allowed.includes(name) && !name.includes('.'));
  const floors = {
    regex: `^(\\.\\./)+(${others.join('|')})(/|$)`,
    message:
      'A module imports modules of its own floor and of those below (FLOORS in frontend/oxlint.config.js).',
  };
  return { 'no-restricted-imports': ['error', { patterns: [floors, ...patterns] }] };
}

const floors = [...FLOORS, ['admin']].flatMap((floor, index) => {
  const allowed = FLOORS.slice(index).flat().concat(floor);
  const pages = floor.includes('pages') ? [OTHER_PAGES] : [];
  return [
    { files: floor.map((name) => `src/${name}/**`), rules: allow(allowed, UNDECLARED_PACKAGES, ...pages) },
    {
      files: floor.map((name) => `src/${name}/**/*.test.{ts,tsx}`),
      rules: allow([...allowed, 'test', 'shell', 'ui'], ...pages),
    },
  ];
});

export default defineConfig({
  plugins: ['typescript', 'oxc', 'import', 'react', 'jsx-a11y'],
  categories: { correctness: 'error', suspicious: 'error', pedantic: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['/build', 'src/lib/api/generated.ts'],
  rules: {
    // Rules of the categories that are a matter of style, or that TypeScript or a stricter rule covers.
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
    // Beside the categories: the strict and stylistic rules of typescript-eslint.
    'no-empty': 'error',
    'no-empty-function': 'error',
    'no-regex-spaces': 'error',
    'no-useless-assignment': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'typescript/adjacent-overload-signatures': 'error',
    'typescript/array-type': 'error',
    'typescript/class-literal-property-style': 'error',
    'typescript/consistent-generic-constructors': 'error',
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
    'typescript/prefer-literal-enum-member': 'error',
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
        'react/hooks': 'off', // reports the same as rules-of-hooks
        'react/jsx-no-literals': [
          'error',
          {
            noStrings: true,
            ignoreProps: true,
            restrictedAttributes: ['alt', 'aria-description', 'aria-label', 'placeholder'],
            allowedStrings: [''],
          },
        ],
        'react/no-unstable-nested-components': 'off',
        'react/react-in-jsx-scope': 'off',
      },
    },
    ...floors,
    {
      // `make run` builds the site with them.
      files: ['webpack.config.js', 'tools/build/*.js'],
      excludeFiles: ['tools/build/{make,generate}-*.js'],
      rules: { 'no-restricted-imports': ['error', { patterns: [UNDECLARED_PACKAGES] }] },
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
    {
      // Its packages, with their types, are installed for benchmarks only; the Makefile runs tsc there.
      files: ['tools/bench/lighthouse/**'],
      rules: Object.fromEntries(
        ['argument', 'call', 'member-access', 'return'].map((use) => [`typescript/no-unsafe-${use}`, 'off']),
      ),
    },
    { files: ['e2e/**'], rules: { 'react/rules-of-hooks': 'off' } }, // `use` is Playwright's, not React's
  ],
});
