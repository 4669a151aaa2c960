import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { findTextNodesOfReact } from './texts';

const Name = () => 'Bora';

test('finds the texts that React holds, not the only text of an element or a space', () => {
  const { unmount } = render(
    <>
      <p>Alone</p>
      <p>
        <b>Bora</b> <b>Bay</b>
      </p>
      <p>Two {'texts'}</p>
      <p>
        <Name />
      </p>
      Beside
    </>,
  );
  expect(findTextNodesOfReact()).toEqual(['P: Two ', 'P: texts', 'P: Bora', 'DIV: Beside']);
  unmount(); // the setup of all tests allows none
});
