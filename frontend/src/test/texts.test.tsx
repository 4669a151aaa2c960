import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { findTextNodesOfReact } from './texts';

const Name = () => 'Bora';

test.each([
  [
    'finds a text beside an element',
    <>
      <b />
      Bora
    </>,
    1,
  ],
  ['finds texts beside each other', <p>Bora {'Bay'}</p>, 2],
  [
    'finds the text of a component',
    <p>
      <Name />
    </p>,
    1,
  ],
  ['ignores the only text of an element', <p>Bora</p>, 0],
  [
    'ignores a space beside an element',
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
