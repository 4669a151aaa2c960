/**
 * Babel plugin: removes `Component.displayName = '...'`, which only React's developer tools read.
 *
 * Such a statement keeps a component that nobody uses in the bundle.
 *
 * @param {typeof import('@babel/core')} babel
 * @returns {import('@babel/core').PluginObj}
 */
export default function dropDisplayNames({ types }) {
  return {
    visitor: {
      ExpressionStatement(path) {
        const { expression } = path.node;
        const target = types.isAssignmentExpression(expression, { operator: '=' }) ? expression.left : null;
        if (
          types.isMemberExpression(target) &&
          types.isIdentifier(target.property, { name: 'displayName' })
        ) {
          path.remove();
        }
      },
    },
  };
}
