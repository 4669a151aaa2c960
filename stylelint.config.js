/** @type {import('stylelint').Config} */
export default {
  extends: 'stylelint-config-standard',
  ignoreFiles: ['frontend/build/**', 'staticfiles/**', '.venv/**', 'node_modules/**'],
  reportNeedlessDisables: true,
  rules: {
    // Components take colours from tokens.css and from nowhere else.
    'color-no-hex': true,
    'color-named': 'never',
  },
  overrides: [
    {
      files: ['**/*.module.css'],
      rules: {
        // Read as properties of an imported namespace.
        'selector-class-pattern': [
          '^[a-z][a-zA-Z0-9]*$',
          { message: 'Class names of a module are camelCase' },
        ],
        'selector-pseudo-class-no-unknown': [true, { ignorePseudoClasses: ['global'] }],
      },
    },
    { files: ['**/tokens.css'], rules: { 'color-no-hex': null } },
    {
      files: ['**/documents.css'],
      rules: { 'selector-class-pattern': '^[a-z]+(-[a-z]+)*(__[a-z]+(-[a-z]+)*)?(--[a-z]+)?$' },
    },
  ],
};
