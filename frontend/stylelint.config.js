const BREAKPOINTS = ['768px', '1024px', '1280px'];

/** @type {import('stylelint').Config} */
export default {
  extends: 'stylelint-config-standard',
  ignoreFiles: 'build/**',
  reportNeedlessDisables: true,
  rules: {
    // Colors and font sizes come from tokens.css; `color-mix` makes a token translucent.
    'color-no-hex': true,
    'color-named': 'never',
    'function-disallowed-list': ['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch'],
    'declaration-property-value-allowed-list': {
      font: ['/^var\\(--type-\\w+\\)$/', 'inherit'],
      'font-size': ['/var\\(--size-\\w+\\)/', 'inherit'],
    },
    'media-feature-name-value-allowed-list': {
      width: BREAKPOINTS,
      height: ['400px', '600px', '720px', '960px'],
    },
    'media-feature-name-disallowed-list': ['min-width', 'max-width', 'min-height', 'max-height'],
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
        // Keyframes of base.css.
        'declaration-property-value-no-unknown': [
          true,
          { ignoreProperties: { 'animation-name': '/^global\\(\\w+\\)$/' } },
        ],
      },
    },
    {
      files: ['**/tokens.css'],
      rules: { 'color-no-hex': null, 'function-disallowed-list': null },
    },
    {
      files: ['**/documents.css'],
      rules: {
        'selector-class-pattern': '^([A-Z][A-Za-z]+|[a-z]+)(-[a-z]+)*(__[a-z]+(-[a-z]+)*)?(--[a-z]+)?$',
      },
    },
  ],
};
