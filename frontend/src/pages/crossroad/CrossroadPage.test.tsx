import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { trackedEvents } from '../../test/analytics';
import { fitMedia } from '../../test/mediaQueries';
import { renderInSite } from '../../test/render';
import { DESKTOP_UP, TABLET_UP } from '../../ui/useMediaQuery';
import CrossroadPage from './CrossroadPage';

test.each([
  ['Explore as a Sailor', 'sailor'],
  ['Explore as a Company', 'company'],
])('the choice %j is tracked as the user type %s', async (name, userType) => {
  const { user } = renderInSite(<CrossroadPage />);
  await user.click(screen.getByRole('link', { name: new RegExp(`^${name}`) }));
  expect(trackedEvents()).toEqual([['user_type_selection', { user_type: userType, location: 'crossroad' }]]);
});

test('the video plays and pauses, and one that was stopped stays so when the window is turned', async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  const pause = vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  fitMedia(TABLET_UP);
  const { container, user } = renderInSite(<CrossroadPage />);
  const video = () => container.querySelector('video') ?? document.body;
  const files = () => [...video().querySelectorAll('source')].map(({ src }) => src.split('/').at(-1));
  expect(video()).toMatchObject({ autoplay: true, loop: true, muted: true });
  expect(files()).toEqual(['ocean-loop-portrait.webm', 'ocean-loop-portrait.mp4']);
  fireEvent.playing(video());
  await user.click(screen.getByRole('button', { name: 'Pause the background video' }));
  expect(pause).toHaveBeenCalledOnce();
  fireEvent.pause(video());
  act(() => fitMedia(DESKTOP_UP));
  expect(files()).toEqual(['ocean-loop.webm', 'ocean-loop.mp4']);
  expect(video()).toHaveProperty('autoplay', false);
  play.mockRejectedValue(new DOMException('Refused', 'NotAllowedError'));
  await user.click(screen.getByRole('button', { name: 'Play the background video' }));
  expect(play).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Play the background video' })).toBeVisible();
});

test.each([
  ['before the page is loaded', 'interactive', false],
  ['with Save-Data', 'complete', true],
] as const)('%s the poster shows alone', (_, readyState, saveData) => {
  vi.spyOn(document, 'readyState', 'get').mockReturnValue(readyState);
  vi.stubGlobal('navigator', Object.create(navigator, { connection: { value: { saveData } } }));
  const { container } = renderInSite(<CrossroadPage />);
  expect(container.querySelector('video')).toBeNull();
  expect(container.querySelector('picture img')).toBeVisible();
});
