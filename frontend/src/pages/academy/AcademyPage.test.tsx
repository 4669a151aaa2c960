import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { renderInSite } from '../../test/render';
import { getSample } from '../../test/catalogues';
import type { Academy } from './academy';
import AcademyPage from './AcademyPage';
import { PathCard } from './LearningPaths';

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
  const found = screen.getAllByRole('listitem').slice(0, 3);
  expect(found.map(({ textContent }) => plain(textContent))).toEqual(figures);
});

test.each([
  ['From Deckhand to Day Skipper', ['Continue Path'], '25%', 'low'],
  ['Ready for the Regatta', ['Start Path'], '0%', 'none'],
  ['Man Overboard', ['Start'], '0%', 'none'],
  ['Chart, Compass, Course', ['Continue'], '35%', 'low'],
  ['Docking Without Drama', ['Continue'], '65%', 'high'],
  ['Your First Day Afloat', ['Continue'], '100%', 'complete'],
])('%s offers %j at %s of progress', (title, actions, percent, level) => {
  show();
  expect(buttons(title)).toEqual(actions);
  expect(card(title).getByText(percent)).toBeVisible();
  expect(card(title).getByRole('progressbar', { name: title })).toHaveAttribute('data-level', level);
});

test.each([
  ['Anchors That Hold', 'en', 'Enroll - $89', 'Preview'],
  ['Win the Start', 'en', 'Enroll - $129', 'Preview'],
  ['Jak vyhrát start', 'cs', 'Zapsat se – 129 $', 'Ukázka'],
] as const)('%s, without enrolment, shows its price and no progress (%s)', (title, language, ...actions) => {
  show(language);
  expect(buttons(title)).toEqual(actions);
  expect(card(title).queryByRole('progressbar')).not.toBeInTheDocument();
  for (const button of card(title).getAllByRole('button')) expect(button).toHaveAccessibleDescription(title);
});

test.each([
  [1, 'z 1 kurzu'],
  [2, 'ze 2 kurzů'],
  [5, 'z 5 kurzů'],
  [7, 'ze 7 kurzů'],
  [8, 'z 8 kurzů'],
])('Czech vocalises the preposition before %i courses', (totalCourses, words) => {
  const [path] = (getSample('sample-academy') as Academy).paths;
  if (!path) throw new Error('There is no path');
  renderInSite(<PathCard path={{ ...path, totalCourses }} />, { language: 'cs' });
  expect(screen.getByText(`Dokončeno: 1 ${words}`)).toBeVisible();
});

test.each([
  [
    'en',
    'Chart, Compass, Course',
    [
      ...['Navigation', 'Beginner', '4.9', 'with Ingrid Solheim', '10h', '14 lessons', '1,840 students'],
      ...['Chartwork', 'Bearings', 'Tidal currents', 'Lesson 6: A fix from three bearings'],
    ],
    'Brass compass and dividers on a nautical chart, sea at sunrise behind',
  ],
  [
    'cs',
    'Mapa, kompas, kurz',
    [
      ...['Navigace', 'Začátečník', '4,9', 'vede Ingrid Solheim', '10 h', '14 lekcí', '1 840 studentů'],
      ...['Práce s mapou', 'Náměry', 'Přílivové proudy', '6. lekce: Poloha ze tří náměrů'],
    ],
    'Mosazný kompas a odpichovátko na námořní mapě, za nimi moře při východu slunce',
  ],
] as const)('a course shows all facts (%s)', (language, title, facts, alt) => {
  show(language);
  for (const fact of facts) expect(card(title).getByText(fact)).toBeVisible();
  expect(plain(card(title).getByRole<HTMLImageElement>('img').alt)).toBe(alt);
});

test('every action announces the launch', async () => {
  const opensAtLaunch = vi.fn();
  vi.mocked(useOpensAtLaunch).mockReturnValue(opensAtLaunch);
  const { user } = show();
  const actions = ['Start Path', 'Start', 'Continue', 'Enroll - $129', 'Preview'].map(
    (name) => screen.getAllByRole('button', { name })[0] ?? document.body,
  );
  for (const action of actions) await user.click(action);
  expect(opensAtLaunch).toHaveBeenCalledTimes(actions.length);
});

test.each([
  ['?category=navigation&level=advanced', '1 kurz'],
  ['?category=racing', '2 kurzy'],
  ['?category=cooking', '9 kurzů'],
])('the filter of %j leaves %s', (query, words) => {
  show('cs', query);
  expect(screen.getByText(words)).toBeVisible();
});

test('the sample has a summary and totals that match its courses', () => {
  const { courses, paths, summary } = getSample('sample-academy') as Academy;
  const enrolled = courses.filter(({ isEnrolled }) => isEnrolled);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  expect(summary).toEqual({ activeCourses: 3, averageProgress: 50, learningTime: 24 });
  expect(enrolled.filter(({ progress }) => progress < 100)).toHaveLength(3);
  expect(sum(enrolled.map(({ progress }) => progress)) / enrolled.length).toBe(50);
  expect(sum(enrolled.map(({ progress, duration }) => (progress / 100) * duration))).toBe(24);
  for (const path of paths) {
    const own = courses.filter(({ id }) => path.courses.includes(id));
    expect(own).toHaveLength(path.totalCourses);
    expect(own.filter(({ progress }) => progress === 100)).toHaveLength(path.completedCourses);
    expect(sum(own.map(({ duration }) => duration))).toBe(path.totalDuration);
  }
});
