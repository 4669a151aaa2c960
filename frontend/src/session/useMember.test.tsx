import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { signedIn, signedOut } from '../test/session';
import { useMember } from './useMember';

function Screen() {
  return <p>Ahoy {useMember().firstName}</p>;
}

test('a page for members has its member', () => {
  renderInSite(<Screen />, { session: signedIn() });
  expect(screen.getByText('Ahoy Anna')).toBeVisible();
});

test('on a page that shows to nobody in particular there is none, and that is a mistake', () => {
  expect(() => renderInSite(<Screen />, { session: signedOut() })).toThrow(
    new Error('useMember must be used on a page for members'),
  );
});
