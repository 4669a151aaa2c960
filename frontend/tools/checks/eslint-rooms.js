import { relative, resolve, dirname, sep } from 'node:path';

/**
 * ESLint rule: the rooms of frontend/src import each other in one direction only.
 *
 * A room is a folder of frontend/src; each page is a room of its own and imports no other page.
 * Options: one object, `{ root, rooms }`: the absolute path of the sources, and for each room the names
 * of the rooms it may import. Tests may besides import the room `test`.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const roomsRule = {
  meta: {
    type: 'problem',
    docs: { description: 'Keep the rooms of the front end apart' },
    schema: [
      {
        type: 'object',
        properties: {
          root: { type: 'string' },
          rooms: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        },
        required: ['root', 'rooms'],
        additionalProperties: false,
      },
    ],
    messages: {
      forbidden: '`{{from}}` may not import `{{to}}`.',
      unknown: '`{{from}}` is no room: give it a place in eslint.config.js.',
    },
  },
  create(context) {
    const { root, rooms } = /** @type {{ root: string, rooms: Record<string, string[]> }} */ (
      context.options[0]
    );
    const from = roomOf(root, context.filename);
    if (!from) return {};
    const allowed = rooms[from.name];
    const isTest = /\.test\.tsx?$/.test(context.filename);

    /** @param {import('estree').Node | null | undefined} source what stands behind `from`, or in `import()` */
    const check = (source) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string' || !source.value.startsWith('.'))
        return;
      const to = roomOf(root, resolve(dirname(context.filename), source.value));
      if (!to || to.path === from.path || (isTest && to.name === 'test')) return;
      const data = { from: from.path, to: to.path };
      if (!allowed) context.report({ node: source, messageId: 'unknown', data });
      else if (!allowed.includes(to.name)) context.report({ node: source, messageId: 'forbidden', data });
    };

    return {
      ImportDeclaration: (node) => {
        check(node.source);
      },
      ImportExpression: (node) => {
        check(node.source);
      },
      ExportNamedDeclaration: (node) => {
        check(node.source);
      },
      ExportAllDeclaration: (node) => {
        check(node.source);
      },
    };
  },
};

/**
 * @param {string} root
 * @param {string} file
 * @returns {{ name: string, path: string } | undefined} undefined for a file in no room
 */
function roomOf(root, file) {
  const [name, ...rest] = relative(root, file).split(sep);
  if (!name || name === '..' || rest.length === 0) return undefined;
  return { name, path: name === 'pages' ? `pages/${rest[0]}` : name };
}
