/**
 * Return the texts in the document that React holds as text nodes of their own. A browser's translator would take them from
 * it (frontend/src/i18n/LanguageProvider.tsx).
 *
 * React marks the nodes that it holds with its private key; texts.test.tsx fails when that changes.
 */
export function findTextNodesOfReact(): string[] {
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set<string>();
  while (nodes.nextNode()) {
    const { currentNode: node } = nodes;
    const isOfReact = Object.keys(node).some((key) => key.startsWith('__reactFiber$'));
    if (isOfReact && /\p{L}|\d/u.test(node.textContent ?? ''))
      found.add(`${node.parentNode?.nodeName}: ${node.textContent}`);
  }
  return [...found];
}
