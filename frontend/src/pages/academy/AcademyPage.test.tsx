import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { renderInSite } from '../../test/render';
import AcademyPage from './AcademyPage';

vi.mock('../../shell/useOpensAtLaunch', { spy: true });

const show = (language: 'en' | 'cs' = 'en', query = '') =>
  renderInSite(<AcademyPage />, { history: [`/academy${query}`], language });

/** Replace non-breaking spaces. */
const plain = (text: string | null) => text?.replaceAll('\u00A0', ' ');

function card(title: string) {
  const found = screen.getByRole('heading', { level: 3, name: title }).closest<HTMLElement>('li');
  if (!found) throw new Error(`No card for ${title}`);
  return within(found);
}

const buttons = (title: string) =>
  card(title)
    .getAllByRole('button')
    .map(({ textContent }) => plain(textContent));

test.each([
  ['en', ['3 active courses', '50% average progress', '24h learning time']],
  ['cs', ['3 aktivní kurzy', '50 % průměrný postup', '24 h doba studia']],
] as const)('the summary shows the figures of the spec (%s)', (language, figures) => {
  show(language);
  for (const [index, figure] of figures.entries())
    expect(screen.getAllByRole('listitem')[index]).toHaveTextContent(figure);
});

test.each([
  ['From Deckhand to Day Skipper', ['Continue Path'], '25%'],
  ['Ready for the Regatta', ['Start Path'], '0%'],
  ['Man Overboard', ['Start'], '0%'],
  ['Your First Day Afloat', ['Continue'], '100%'],
])('%s offers %j at %s of progress', (title, actions, percent) => {
  show();
  expect(buttons(title)).toEqual(actions);
  expect(card(title).getByText(percent)).toBeVisible();
  expect(card(title).getByRole('progressbar', { name: title })).toBeVisible();
});

test.each([
  ['Win the Start', 'en', 'Enroll - $129', 'Preview'],
  ['Jak vyhrát start', 'cs', 'Zapsat se – 129 $', 'Ukázka'],
] as const)('%s, without enrolment, shows its price and no progress (%s)', (title, language, ...actions) => {
  show(language);
  expect(buttons(title)).toEqual(actions);
  expect(card(title).queryByRole('progressbar')).not.toBeInTheDocument();
  for (const button of card(title).getAllByRole('button')) expect(button).toHaveAccessibleDescription(title);
});

test.each([
  ['en', 'Chart, Compass, Course', ['4.9', 'with Ingrid Solheim', '10h', '14 lessons', '1,840 students']],
  ['cs', 'Mapa, kompas, kurz', ['4,9', 'vede Ingrid Solheim', '10 h', '14 lekcí', '1 840 studentů']],
  ['cs', 'Mapa, kompas, kurz', ['Navigace', 'Začátečník', 'Náměry', '6. lekce: Poloha ze tří náměrů']],
] as const)('in %s the course %s shows %j', (language, title, facts) => {
  show(language);
  for (const fact of facts) expect(card(title).getByText(fact)).toBeVisible();
});

test('every action announces the launch', async () => {
  const opensAtLaunch = vi.fn();
  vi.mocked(useOpensAtLaunch).mockReturnValue(opensAtLaunch);
  const { user } = show();
  for (const name of ['Start Path', 'Start', 'Continue', 'Enroll - $129', 'Preview'])
    await user.click(screen.getAllByRole('button', { name })[0] ?? document.body);
  expect(opensAtLaunch).toHaveBeenCalledTimes(5);
});

test.each([
  ['?category=navigation&level=advanced', '1 kurz'],
  ['?category=racing', '2 kurzy'],
  ['?category=cooking', '9 kurzů'],
])('the filter of %j leaves %s', (query, words) => {
  show('cs', query);
  expect(screen.getByText(words)).toBeVisible();
});

test('without a course of a category and level, Clear Filters shows all again under the heading', async () => {
  const { user } = show('en', '?level=beginner');
  await user.click(screen.getByRole('button', { name: 'Racing' }));
  expect(screen.getByRole('button', { name: 'Racing' })).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getByText('No courses found')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear Filters' }));
  expect(screen.getByRole('heading', { name: 'Courses' })).toHaveFocus();
  expect(screen.getByText('9 courses')).toBeVisible();
});
