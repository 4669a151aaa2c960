import ts from 'typescript';

/**
 * Return the message ids in a source file. Ids are always written out, so that they can be found.
 *
 * @param {string} source TypeScript, with or without JSX
 * @param {readonly string[]} groups the groups of the catalogues
 * @returns {string[]} every string literal that looks like an id of one of the groups
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
