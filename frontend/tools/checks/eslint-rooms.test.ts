import { RuleTester } from 'eslint';
import { describe, it } from 'vitest';

import { roomsRule } from './eslint-rooms.js';

RuleTester.describe = describe;
RuleTester.it = it;

const options = [{ root: '/project/src', rooms: { pages: ['ui'], ui: [], shell: ['ui'], test: ['ui'] } }];

const allowed = (name: string, file: string, code: string) => ({
  name,
  filename: `/project/src/${file}`,
  code,
  options,
});
const forbidden = (name: string, file: string, code: string, from: string, to: string) => ({
  ...allowed(name, file, code),
  errors: [{ messageId: 'forbidden', data: { from, to } }],
});

new RuleTester().run('rooms/apart', roomsRule, {
  valid: [
    allowed('a room imports one that it may', 'shell/Footer.js', "import { Logo } from '../ui/Logo';"),
    allowed('a room imports itself', 'ui/Button.js', "import { Spinner } from './Spinner';"),
    allowed('a page imports its own parts', 'pages/newsletter/Page.js', "import { Form } from './Form';"),
    allowed('anyone imports a package', 'ui/Button.js', "import { clsx } from 'clsx';"),
    allowed(
      'a test imports the room of tests',
      'ui/Button.test.tsx',
      "import { render } from '../test/render';",
    ),
    allowed('what stands beside the rooms imports any', 'index.js', "import { start } from './shell/start';"),
    allowed(
      'what stands outside is imported by any',
      'shell/menu.js',
      "import table from '../../routes.json';",
    ),
    allowed('an export of its own names no other room', 'ui/Button.js', 'export const size = 24;'),
  ],
  invalid: [
    forbidden(
      'a room imports one that it may not',
      'ui/Button.js',
      "import { Footer } from '../shell/Footer';",
      'ui',
      'shell',
    ),
    forbidden(
      'a page imports another page',
      'pages/newsletter/Page.js',
      "import { Form } from '../sign-up/Form';",
      'pages/newsletter',
      'pages/sign-up',
    ),
    forbidden(
      'a source imports the room of tests',
      'ui/Button.js',
      "import { render } from '../test/render';",
      'ui',
      'test',
    ),
    forbidden('an import that waits', 'ui/Button.js', "void import('../shell/Footer');", 'ui', 'shell'),
    forbidden('an export from', 'ui/Button.js', "export { Footer } from '../shell/Footer';", 'ui', 'shell'),
    forbidden('an export of all', 'ui/Button.js', "export * from '../shell/Footer';", 'ui', 'shell'),
    {
      ...allowed('a folder that is no room', 'odds/Thing.js', "import { Logo } from '../ui/Logo';"),
      errors: [{ messageId: 'unknown', data: { from: 'odds', to: 'ui' } }],
    },
  ],
});
