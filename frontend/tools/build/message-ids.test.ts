import { expect, test } from 'vitest';

import { messageIdsIn } from './message-ids.js';

test('finds the ids in JSX, in calls and in tables', () => {
  const source = `
    const MENU = [{ label: 'menu.about', to: '/about' }] as const;
    export const Title = ({ on }: Props) => <h1 title={formatMessage({ id: on ? "menu.on" : \`menu.off\` })}>
      <FormattedMessage id="page.title" />
    </h1>;`;
  expect(messageIdsIn(source, ['menu', 'page'])).toEqual(['menu.about', 'menu.on', 'menu.off', 'page.title']);
});

test('an id of no group, a file name and a comment are no ids', () => {
  const source = `
    // as 'menu.about' says
    import table from './menu.json';
    export default ['other.title', 'menu.about.more', 'menu', table];`;
  expect(messageIdsIn(source, ['menu'])).toEqual([]);
});
