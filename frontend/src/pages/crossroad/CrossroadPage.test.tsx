import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

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

describe('the background video', () => {
  const pause = () => screen.getByRole('button', { name: 'Pause the background video' });
  const play = () => screen.getByRole('button', { name: 'Play the background video' });

  function showPage() {
    const { container, user } = renderInSite(<CrossroadPage />);
    return {
      user,
      video: () => container.querySelector('video'),
      poster: () => container.querySelector('picture img'),
    };
  }

  async function showPlaying() {
    const page = showPage();
    await act(() => page.video()?.play());
    return page;
  }

  afterEach(() => Reflect.deleteProperty(navigator, 'connection'));

  test('autoplays inline, muted and in a loop', () => {
    const video = showPage().video();
    expect(video).toHaveProperty('loop', true);
    expect(video).toHaveProperty('muted', true);
    expect(video).toHaveProperty('autoplay', true);
    expect(video).toHaveAttribute('playsinline');
  });

  test('offers Play again when the browser refuses to play', async () => {
    const { user, video } = showPage();
    const refuse = () => Promise.reject(new DOMException('Refused', 'NotAllowedError'));
    // Not a spy, because a spy would handle the rejection.
    Object.defineProperty(video(), 'play', { value: refuse });
    await user.click(play());
    expect(play()).toBeVisible();
  });

  test.each([
    ['wide', DESKTOP_UP, 'ocean-loop'],
    ['narrow', TABLET_UP, 'ocean-loop-portrait'],
  ])('has sources for a %s window', (_, query, film) => {
    fitMedia(query);
    const sources = [...(showPage().video()?.querySelectorAll('source') ?? [])];
    expect(sources.map(({ type, src }) => [type, src.split('/').at(-1)])).toEqual([
      ['video/webm', `${film}.webm`],
      ['video/mp4', `${film}.mp4`],
    ]);
  });

  test('stays paused when the window is turned', async () => {
    const { user, video } = await showPlaying();
    await user.click(pause());
    act(() => fitMedia(DESKTOP_UP));
    expect(video()).toHaveProperty('autoplay', false);
    expect(video()).toHaveProperty('paused', true);
    await user.click(play());
    expect(video()).toHaveProperty('paused', false);
  });

  test('loads after the page; the poster shows from the start', () => {
    const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    const { video, poster } = showPage();
    expect(video()).not.toBeInTheDocument();
    expect(poster()).toBeVisible();
    state.mockReturnValue('complete');
    fireEvent(document, new Event('readystatechange'));
    expect(video()).toBeInTheDocument();
  });

  test.each([
    [true, false],
    [false, true],
  ])('with Save-Data %s loads: %s', (saveData, wanted) => {
    Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData } });
    const { video, poster } = showPage();
    expect(video() !== null).toBe(wanted);
    expect(poster()).toBeVisible();
  });
});
