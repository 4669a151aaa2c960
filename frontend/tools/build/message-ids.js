import ts from 'typescript';

/**
 * The ids of messages that a source names. An id stands in the source as it is, never put together, so that
 * it can be found.
 *
 * @param {string} source TypeScript, with or without JSX
 * @param {readonly string[]} groups the groups of the catalogues
 * @returns {string[]} every text of it that reads like an id of one of the groups
 */
export function messageIdsIn(source, groups) {
  /** @type {string[]} */
  const ids = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) {
      const [, group] = /^(\w+)\.\w+$/.exec(node.text) ?? [];
      if (group && groups.includes(group)) ids.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.tsx', source, ts.ScriptTarget.Latest));
  return ids;
}
