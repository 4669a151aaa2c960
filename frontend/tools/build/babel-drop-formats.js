/** What react-intl's object can do and no page asks for; eslint.config.js keeps it so. */
export const UNUSED_FORMATS = [
  'formatDateToParts',
  'formatDisplayName',
  'formatDuration',
  'formatDurationToParts',
  'formatList',
  'formatListToParts',
  'formatNumberToParts',
  'formatPlural',
  'formatRelativeTime',
  'formatTimeToParts',
  '$t',
];

/**
 * Babel plugin for `@formatjs/intl`: takes these functions out of the object that `createIntl` makes, which would keep them
 * in the bundle.
 *
 * @param {typeof import('@babel/core')} babel
 * @returns {import('@babel/core').PluginObj}
 * @throws {Error} from the build, when the package makes its object in another way
 */
export default function dropFormats({ types }) {
  return {
    visitor: {
      Program: {
        exit(program) {
          const left = new Set(UNUSED_FORMATS);
          program.traverse({
            ObjectProperty(path) {
              const { key, value } = path.node;
              if (types.isIdentifier(key) && types.isCallExpression(value) && left.delete(key.name))
                path.remove();
            },
          });
          if (left.size > 0) throw program.buildCodeFrameError(`There is no ${[...left].join(', ')} to drop`);
        },
      },
    },
  };
}
