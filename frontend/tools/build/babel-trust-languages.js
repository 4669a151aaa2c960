/**
 * Babel plugin for `@formatjs/intl` and `intl-messageformat`: skip `supportedLocalesOf`, as every supported browser has our
 * languages. The first call blocks Chromium before hydration (docs/decisions/013-lazy-pages.md).
 *
 * @param {typeof import('@babel/core')} babel
 * @returns {import('@babel/core').PluginObj}
 * @throws {Error} fails the build if the package does not call it, or with other arguments
 */
export default function trustLanguages({ types }) {
  let calls = 0;
  return {
    pre() {
      calls = 0;
    },
    visitor: {
      CallExpression(path) {
        const { callee, arguments: args } = path.node;
        const [locale] = args;
        if (!types.isMemberExpression(callee)) return;
        if (!types.isIdentifier(callee.property, { name: 'supportedLocalesOf' })) return;
        if (args.length !== 1 || !types.isExpression(locale))
          throw path.buildCodeFrameError('Expected supportedLocalesOf with one argument');
        path.replaceWith(types.arrayExpression([locale]));
        calls += 1;
      },
    },
    post() {
      if (calls === 0) throw new Error('Expected a call of supportedLocalesOf');
    },
  };
}
