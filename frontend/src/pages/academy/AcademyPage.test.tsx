import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { renderInSite } from '../../test/render';
import { getSample } from '../../test/sample';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import type { Academy } from './academy';
import AcademyPage from './AcademyPage';
import { PathCard } from './LearningPaths';

vi.mock('../../shell/useOpensAtLaunch', { spy: true });

function showAcademy(surroundings: Parameters<typeof renderInSite>[1] = {}) {
  return renderInSite(
    <main>
      <AcademyPage />
    </main>,
    { history: ['/academy'], ...surroundings },
  );
}

/** Replace non-breaking spaces. */
const plain = (text: string) => text.replaceAll('\u00A0', ' ');

const main = () => within(screen.getByRole('main'));

function card(title: string) {
  const found = main().getByRole('heading', { level: 3, name: title }).closest<HTMLElement>('li');
  if (!found) throw new Error(`No card for ${title}`);
  return within(found);
}

test.each([
  ['en', ['3 active courses', '50% average progress', '24h learning time']],
  ['cs', ['3 aktivní kurzy', '50 % průměrný postup', '24 h doba studia']],
] as const)('the summary shows the figures of the spec (%s)', (language, figures) => {
  showAcademy({ language });
  const [summary] = main().getAllByRole('list');
  if (!summary) throw new Error('There is no list');
  expect(
    within(summary)
      .getAllByRole('listitem')
      .map(({ textContent }) => plain(textContent)),
  ).toEqual(figures);
});

describe('a learning path', () => {
  test.each([
    ['From Deckhand to Day Skipper', 'Continue Path', '1 of 4 courses completed', '25%', 'low'],
    ['Ready for the Regatta', 'Start Path', '0 of 3 courses completed', '0%', 'none'],
  ])('%s offers %j and shows %j', (title, action, completed, percent, level) => {
    showAcademy();
    const path = card(title);
    expect(path.getByRole('button')).toHaveTextContent(action);
    expect(path.getByText(completed)).toBeVisible();
    expect(path.getByText(percent)).toBeVisible();
    expect(path.getByRole('progressbar')).toHaveAttribute('data-level', level);
  });

  test('uses Czech plurals', () => {
    showAcademy({ language: 'cs' });
    expect(card('Od plavčíka až po skippera').getByText('Dokončeno: 1 ze 4 kurzů')).toBeVisible();
    expect(card('Připraveni na regatu').getByText('Dokončeno: 0 ze 3 kurzů')).toBeVisible();
  });

  test.each([
    [1, 'z 1 kurzu'],
    [2, 'ze 2 kurzů'],
    [5, 'z 5 kurzů'],
    [6, 'ze 6 kurzů'],
    [7, 'ze 7 kurzů'],
    [8, 'z 8 kurzů'],
  ])('vocalises the Czech preposition before %i', (totalCourses, words) => {
    const [path] = (getSample('sample-academy') as Academy).paths;
    if (!path) throw new Error('There is no path');
    renderInSite(<PathCard path={{ ...path, totalCourses }} />, { language: 'cs' });
    expect(screen.getByText(`Dokončeno: 1 ${words}`)).toBeVisible();
  });
});

describe('a course', () => {
  test('with enrolment offers to start or continue, and shows the progress', () => {
    showAcademy();
    for (const [title, label, percent, level] of [
      ['Man Overboard', 'Start', '0%', 'none'],
      ['Chart, Compass, Course', 'Continue', '35%', 'low'],
      ['Docking Without Drama', 'Continue', '65%', 'high'],
      ['Your First Day Afloat', 'Review', '100%', 'complete'],
    ] as const) {
      const course = card(title);
      expect(course.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([label]);
      expect(course.getByText(percent)).toBeVisible();
      expect(course.getByRole('progressbar', { name: title })).toHaveAttribute('data-level', level);
    }
  });

  test('without enrolment offers to enroll at its price and to preview', () => {
    showAcademy();
    for (const [title, label] of [
      ['Anchors That Hold', 'Enroll - $89'],
      ['Win the Start', 'Enroll - $129'],
      ['Night Passages', 'Enroll - $199'],
    ] as const) {
      const course = card(title);
      expect(course.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([label, 'Preview']);
      expect(course.queryByRole('progressbar')).not.toBeInTheDocument();
    }
    expect(card('Win the Start').getByRole('button', { name: 'Preview' })).toHaveAccessibleDescription(
      'Win the Start',
    );
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
  ] as const)('shows all facts (%s)', (language, title, facts, alt) => {
    showAcademy({ language });
    const course = card(title);
    for (const fact of facts) expect(course.getByText(fact)).toBeVisible();
    expect(plain(course.getByRole<HTMLImageElement>('img').alt)).toBe(alt);
  });

  test('uses the Czech price format', () => {
    showAcademy({ language: 'cs' });
    const [enroll] = card('Jak vyhrát start').getAllByRole('button');
    expect(plain(enroll?.textContent ?? '')).toBe('Zapsat se – 129 $');
  });
});

test('every action announces the launch', async () => {
  const opensAtLaunch = vi.fn();
  vi.mocked(useOpensAtLaunch).mockReturnValue(opensAtLaunch);
  const { user } = showAcademy();
  const actions = [
    ['From Deckhand to Day Skipper', 'Continue Path'],
    ['Ready for the Regatta', 'Start Path'],
    ['Man Overboard', 'Start'],
    ['Chart, Compass, Course', 'Continue'],
    ['Win the Start', 'Enroll - $129'],
    ['Win the Start', 'Preview'],
  ] as const;
  for (const [title, name] of actions) await user.click(card(title).getByRole('button', { name }));
  expect(opensAtLaunch).toHaveBeenCalledTimes(actions.length);
});

test.each([
  [1, '1 kurz', '/academy?category=navigation&level=advanced'],
  [2, '2 kurzy', '/academy?category=racing'],
  [9, '9 kurzů', '/academy'],
])('the Czech count of %i is %j', (_, words, address) => {
  showAcademy({ language: 'cs', history: [address] });
  expect(screen.getByText(words)).toBeVisible();
});
