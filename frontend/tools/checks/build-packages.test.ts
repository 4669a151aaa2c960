import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { devDependencies } from '../../../package.json';

const DEVELOPMENT_SERVER = ['@pmmmwh/react-refresh-webpack-plugin', 'react-refresh', 'webpack-dev-server'];

// `make run` installs no development packages, and oxlint does not see what these files name in strings.
test.each(['frontend/webpack.config.js', 'frontend/src/styles/fonts.css'])(
  '%s names no development package, except for the development server',
  (file) => {
    const text = readFileSync(file, 'utf8');
    const named = Object.keys(devDependencies).filter((name) => new RegExp(`['"~]${name}['"/]`).test(text));
    expect(named.filter((name) => !DEVELOPMENT_SERVER.includes(name))).toEqual([]);
  },
);
