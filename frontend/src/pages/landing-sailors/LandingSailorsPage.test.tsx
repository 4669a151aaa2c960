import { act, screen, fireEvent } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { fitMedia, resetMediaQueries } from '../../test/mediaQueries';
import { renderInSite } from '../../test/render';
import { FeatureStrip } from './FeatureStrip';
import LandingSailorsPage from './LandingSailorsPage';
import { PINNABLE } from './useStrip';

const TITLES = [
  'Automatic Logbook',
  'Personal Profile and List of Experience',
  'Training and Learning Resources',
  'Verified Boats from Trusted Owners and Companies',
  'Boat Owners Finding Crew',
  'Racing Sailors Finding Team Members',
];

/** The scroll length of each card. */
const CARD = 400;

function layOutCards() {
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(CARD);
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(TITLES.length * CARD);
}

function strip() {
  return screen.getByRole('group', { name: 'Six legs, one course' });
}

function current() {
  return TITLES.filter(
    (name) => screen.getByRole('button', { name }).getAttribute('aria-current') === 'true',
  );
}

function showStrip() {
  layOutCards();
  return renderInSite(<FeatureStrip />);
}

describe('the strip', () => {
  test('steps by arrow keys, Home and End', async () => {
    const { user } = showStrip();
    await user.tab();
    expect(strip()).toHaveFocus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(current()).toEqual([TITLES[2]]);
    await user.keyboard('{ArrowLeft}');
    expect(current()).toEqual([TITLES[1]]);
    await user.keyboard('{End}');
    expect(current()).toEqual([TITLES[5]]);
    await user.keyboard('{ArrowRight}{Home}{ArrowLeft}');
    expect(current()).toEqual([TITLES[0]]);
  });

  test('leaves End at the last card to the browser', async () => {
    const { user } = showStrip();
    await user.tab();
    await user.keyboard('{ArrowLeft}{End}');
    expect(current()).toEqual([TITLES[5]]);
    expect(fireEvent.keyDown(strip(), { key: 'End' })).toBe(true);
    expect(fireEvent.keyDown(strip(), { key: 'Home' }), 'the strip goes to its first card').toBe(false);
  });

  test('ignores keys with Alt or Ctrl', async () => {
    const { user } = showStrip();
    await user.tab();
    await user.keyboard('{Alt>}{ArrowRight}{/Alt}{Control>}{End}{/Control}');
    expect(current()).toEqual([TITLES[0]]);
  });

  test('follows swiping: the nearest card is current', () => {
    showStrip();
    act(() => {
      strip().scrollTo({ left: 2.6 * CARD });
    });
    expect(current()).toEqual([TITLES[3]]);
  });

  test('announces its position', async () => {
    const { user } = showStrip();
    await user.click(screen.getByRole('button', { name: 'Next feature' }));
    expect(screen.getByText('2 of 6: Personal Profile and List of Experience').parentElement).toHaveAttribute(
      'aria-live',
      'polite',
    );
  });

  test('announces its position in Czech', () => {
    layOutCards();
    renderInSite(<LandingSailorsPage />, { language: 'cs' });
    expect(screen.getByText('1 z 6: Automatický lodní deník')).toBeInTheDocument();
  });

  describe('when it can be pinned', () => {
    function showPinned() {
      fitMedia(PINNABLE);
      vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function box(this: Element) {
        return { top: -window.scrollY, height: this.id === 'features' ? 1500 : 1000 } as DOMRect;
      });
      window.scrollTo(0, 0);
      return showStrip();
    }

    test('scrolls the page to a requested card', async () => {
      const { user } = showPinned();
      await user.click(screen.getByRole('button', { name: 'Boat Owners Finding Crew' }));
      expect(window.scrollY).toBe(400);
      expect(current()).toEqual(['Boat Owners Finding Crew']);
    });

    test('becomes a carousel at the same card when it can no longer be pinned', async () => {
      const { user } = showPinned();
      await user.click(screen.getByRole('button', { name: 'Boat Owners Finding Crew' }));
      expect(strip().scrollLeft).toBe(0);
      const fits = window.matchMedia(PINNABLE);
      resetMediaQueries();
      act(() => {
        fits.dispatchEvent(new Event('change'));
      });
      expect(strip().scrollLeft).toBe(4 * CARD);
      await user.click(screen.getByRole('button', { name: 'Next feature' }));
      expect(current()).toEqual(['Racing Sailors Finding Team Members']);
    });
  });
});
