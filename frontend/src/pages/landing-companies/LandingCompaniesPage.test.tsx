import { act, screen, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';

import { trackedEvents } from '../../test/analytics';
import { renderInSite } from '../../test/render';
import LandingCompaniesPage, { Offerings } from './LandingCompaniesPage';

const scrollIntoView = vi.fn();

beforeEach(() => {
  // jsdom has no layout to scroll.
  Element.prototype.scrollIntoView = scrollIntoView;
});

function titlesUnder(name: string) {
  const section = within(screen.getByRole('region', { name }));
  return section.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
}

test("'Get Started' scrolls to the business section", async () => {
  const { user, path } = await act(() =>
    Promise.resolve(renderInSite(<LandingCompaniesPage />, { history: ['/landing-companies'] })),
  );
  const business = await screen.findByRole('region', { name: 'Four markets, one harbor' });
  await user.click(screen.getByRole('link', { name: 'Get Started' }));
  expect(scrollIntoView.mock.contexts).toEqual([business]);
  expect(business).toHaveFocus();
  expect(path()).toBe('/landing-companies');
  expect(trackedEvents()).toEqual([
    ['button_click', { button: 'get_started', location: 'landing-companies' }],
  ]);
});

test('there are four offerings, each with an image', () => {
  renderInSite(<Offerings />);
  expect(titlesUnder('Four markets, one harbor')).toEqual([
    'Sailing adventures and crew offers',
    'Boat sales and rentals',
    'Equipment and gear',
    'Professional crew for commercial shipping',
  ]);
  const pictures = screen.getAllByRole('img');
  expect(pictures).toHaveLength(4);
  for (const picture of pictures) {
    expect(picture).toHaveAccessibleName();
    expect(picture).toHaveAttribute('loading', 'lazy');
  }
});

test('there are four advertising benefits', () => {
  renderInSite(<LandingCompaniesPage />);
  expect(titlesUnder('An audience that knows port from starboard')).toEqual([
    'Targeted audience',
    'Verified community',
    'Global visibility',
    'Flexible advertising',
  ]);
});

function Query() {
  return <output>{useLocation().search}</output>;
}

test("'Start Advertising' links to /newsletter with its source", async () => {
  const { user, path } = renderInSite(
    <>
      <LandingCompaniesPage />
      <Query />
    </>,
  );
  await user.click(screen.getByRole('link', { name: 'Start Advertising' }));
  expect(path()).toBe('/newsletter');
  expect(screen.getByRole('status')).toHaveTextContent('?source=landing-companies');
  expect(trackedEvents()).toEqual([
    ['button_click', { button: 'start_advertising', location: 'landing-companies' }],
  ]);
});
