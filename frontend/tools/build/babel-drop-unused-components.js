/**
 * Babel plugin: remove `Component.displayName = '...'`, which only React's developer tools read, and write
 * `Component.contextType = value` as a static field of its class.
 *
 * Such a statement keeps an unused component in the bundle: 6.5 KB of React Router.
 *
 * @param {typeof import('@babel/core')} babel
 * @returns {import('@babel/core').PluginObj}
 */
export default function dropUnusedComponents({ types }) {
  return {
    visitor: {
      ExpressionStatement(path) {
        const { expression } = path.node;
        if (!types.isAssignmentExpression(expression, { operator: '=' })) return;
        const { left: target, right } = expression;
        if (!types.isMemberExpression(target) || !types.isIdentifier(target.object)) return;
        if (types.isIdentifier(target.property, { name: 'displayName' })) path.remove();
        if (!types.isIdentifier(target.property, { name: 'contextType' })) return;
        const declaration = path.scope.getBinding(target.object.name)?.path.node;
        const component = types.isVariableDeclarator(declaration) ? declaration.init : declaration;
        if (!types.isClass(component)) return;
        component.body.body.push(types.classProperty(target.property, right, null, null, false, true));
        path.remove();
      },
    },
  };
}
