/**
 * Babel plugin for `@formatjs/intl` and `intl-messageformat`: takes every language as one that the browser has formats for,
 * as all have that we build for. A browser that is asked looks through the numbers of each language it knows: 20 ms before
 * the page comes to life.
 *
 * @param {typeof import('@babel/core')} babel
 * @returns {import('@babel/core').PluginObj}
 * @throws {Error} from the build, when the package does not ask, or not about one language
 */
export default function trustLanguages({ types }) {
  return {
    visitor: {
      Program: {
        exit(program) {
          let questions = 0;
          program.traverse({
            CallExpression(path) {
              const { callee, arguments: asked } = path.node;
              const [language] = asked;
              if (!types.isMemberExpression(callee)) return;
              if (!types.isIdentifier(callee.property, { name: 'supportedLocalesOf' })) return;
              if (asked.length !== 1 || !types.isExpression(language))
                throw path.buildCodeFrameError('This asks about more than a language');
              path.replaceWith(types.arrayExpression([language]));
              questions += 1;
            },
          });
          if (questions === 0) throw program.buildCodeFrameError('There is no supportedLocalesOf');
        },
      },
    },
  };
}
