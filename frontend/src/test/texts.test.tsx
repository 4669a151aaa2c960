import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { findTextNodesOfReact } from './texts';

const Name = () => 'Bora';

test.each([
  [
    'a text beside an element',
    <>
      <b />
      Bora
    </>,
    1,
  ],
  ['a text beside a text', <p>Bora {'Bay'}</p>, 2],
  [
    'the text of a component',
    <p>
      <Name />
    </p>,
    1,
  ],
  ['the only text of an element', <p>Bora</p>, 0],
  [
    'a space beside an element',
    <p>
      <b>Bora</b> <b>Bay</b>
    </p>,
    0,
  ],
])('%s', (_, page, count) => {
  const { unmount } = render(page);
  expect(findTextNodesOfReact()).toHaveLength(count);
  unmount(); // the setup of all tests allows none
});
