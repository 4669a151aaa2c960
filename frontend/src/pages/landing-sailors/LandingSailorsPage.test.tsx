import { act, screen, within, fireEvent } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
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
  test('has six features, each with a text and an image', () => {
    showStrip();
    const cards = within(strip()).getAllByRole('listitem');
    expect(cards.map((card) => within(card).getByRole('heading', { level: 3 }).textContent)).toEqual(TITLES);
    for (const card of cards) {
      expect(within(card).getByText(/\w{3,}.*[.?]$/)).toBeVisible();
      expect(within(card).getByRole('img')).toHaveAccessibleName();
    }
  });

  test('starts at the first feature', () => {
    showStrip();
    expect(current()).toEqual(['Automatic Logbook']);
  });

  test.each(TITLES)('shows %j on a click on its dot', async (name) => {
    const { user } = showStrip();
    await user.click(screen.getByRole('button', { name }));
    expect(current()).toEqual([name]);
    expect(strip().scrollLeft).toBe(TITLES.indexOf(name) * CARD);
  });

  test('steps by buttons that are disabled at either end', async () => {
    const { user } = showStrip();
    const previous = screen.getByRole('button', { name: 'Previous feature' });
    const next = screen.getByRole('button', { name: 'Next feature' });
    expect(previous).toHaveAttribute('aria-disabled', 'true');
    for (const title of TITLES.slice(1)) {
      await user.click(next);
      expect(current()).toEqual([title]);
    }
    expect(next).toHaveAttribute('aria-disabled', 'true');
    await user.click(next);
    expect(current()).toEqual(TITLES.slice(-1));
    await user.click(previous);
    expect(current()).toEqual(TITLES.slice(-2, -1));
  });

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

describe('the page', () => {
  /** The page with what comes later. */
  function showPage() {
    // eslint-disable-next-line @typescript-eslint/require-await -- what is loaded meanwhile is waited for
    return act(async () => renderInSite(<LandingSailorsPage />, { history: ['/landing-sailors'] }));
  }

  function Newsletter() {
    return <output>{useLocation().search}</output>;
  }

  test("'Create Your Free Profile' links to /newsletter with its source", async () => {
    const { user, path } = renderInSite(
      <>
        <LandingSailorsPage />
        <Newsletter />
      </>,
      { history: ['/landing-sailors'] },
    );
    await user.click(screen.getByRole('link', { name: 'Create Your Free Profile' }));
    expect(path()).toBe('/newsletter');
    expect(screen.getByText('?source=landing-sailors')).toBeVisible();
  });

  test("'Back to Home' links to /", async () => {
    const { user, path } = renderInSite(<LandingSailorsPage />, { history: ['/landing-sailors'] });
    await user.click(screen.getByRole('link', { name: 'Back to Home' }));
    expect(path()).toBe('/');
  });

  test("'Start Your Journey' scrolls to the features and focuses them", async () => {
    const scrolled: Element[] = [];
    Element.prototype.scrollIntoView = function scrollIntoView() {
      scrolled.push(this);
    };
    const { user } = await showPage();
    const features = await screen.findByRole('region', { name: 'Six legs, one course' });
    await user.click(screen.getByRole('link', { name: 'Start Your Journey' }));
    expect(scrolled).toEqual([features]);
    expect(features).toHaveFocus();
  });

  test('shows the heading and the launch', async () => {
    await showPage();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Log the miles');
    expect(screen.getByText(/Launching soon\.$/)).toBeVisible();
  });
});
