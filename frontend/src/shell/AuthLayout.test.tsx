import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import picture from '@media/boat-sailboat-1.avif?picture';
import { renderInSite } from '../test/render';
import { AuthLayout, type FormScene } from './AuthLayout';

test('never shows the picture of the previous page beside the text of the next one', () => {
  const page = (text: FormScene['text']) => (
    <AuthLayout scene={{ picture, alt: 'auth.signInPicture', text, className: undefined }}>
      <h1>The form</h1>
    </AuthLayout>
  );
  const { rerender } = renderInSite(page('auth.signInPictureLine'));
  const before = screen.getByRole('img');
  rerender(page('auth.signUpPictureLine'));
  expect(screen.getByRole('img')).not.toBe(before);
});
