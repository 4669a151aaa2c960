import { fireEvent, screen } from '@testing-library/react';
import { Trash2 } from 'lucide';
import { Suspense } from 'react';
import { expect, test } from 'vitest';

import { renderInSite } from '../../../test/render';
import { ANNA, signedIn } from '../../../test/session';
import { LazyAccountPanel, Setting } from './Setting';

test('a dialog that was loaded in another language keeps the page while its messages load', async () => {
  await LazyAccountPanel.preload('required');
  renderInSite(
    <Suspense fallback={<p>Loading</p>}>
      <ul>
        <Setting
          icon={Trash2}
          titleId="profile.delete"
          textId="profile.deleteText"
          actionId="profile.deleteOpen"
          button="delete_account"
          hasDialog
          panel="deletion"
          user={ANNA}
        />
      </ul>
    </Suspense>,
    { language: 'cs', session: signedIn() },
  );
  fireEvent.click(screen.getByRole('button', { name: 'Smazat můj účet' }));
  expect(screen.queryByText('Loading')).not.toBeInTheDocument();
  expect(await screen.findByRole('dialog', { name: 'Smazat účet?' })).toBeVisible();
});
