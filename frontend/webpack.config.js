import { fileURLToPath } from 'node:url';

import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack from 'webpack';

import { CONTENT } from './tools/build/catalogue-loader.js';
import { ManifestPlugin } from './tools/build/manifest-plugin.js';

/** @typedef {import('webpack').Configuration} Configuration */

/** @param {string} path from this folder */
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Build the files that Django links, with hashes in their names, and a manifest that lists them. In production, also build
 * the bundle with which frontend/tools/build/prerender.js renders the pages.
 *
 * The Content-Security-Policy is the same in development and in production, so nothing here may need
 * `unsafe-eval` or `unsafe-inline`: no eval source maps, no style-loader.
 *
 * @param {unknown} _environment
 * @param {{ mode: 'production' | 'development' }} options
 * @returns {Promise<Configuration[]>}
 */
export default async (_environment, { mode }) => {
  process.env.BABEL_ENV = mode;
  process.env.NODE_ENV = mode;
  return mode === 'production' ? [await browser(mode), prerender(mode)] : [await browser(mode)];
};

/**
 * @param {'production' | 'development'} mode
 * @returns {Promise<Configuration & { devServer: import('webpack-dev-server').Configuration }>}
 */
async function browser(mode) {
  const production = mode === 'production';
  return {
    ...shared(mode, { emit: true }),
    name: 'browser',
    target: 'browserslist',
    devtool: production ? false : 'cheap-module-source-map',
    entry: {
      main: './src/app/index.tsx',
      deferHydration: './src/app/deferHydration.ts',
      documents: './src/styles/documents.css',
      pasteMarkdown: './src/admin/pasteMarkdown.ts',
    },
    output: {
      path: at('./build/app'),
      publicPath: '/static/app/',
      // Short, because the first load lists the files of every chunk.
      filename: production ? '[name].[contenthash:8].js' : '[name].js',
      chunkFilename: production ? '[id].[contenthash:8].js' : '[name].js',
      assetModuleFilename: production ? '[name].[contenthash:8][ext]' : '[name][ext]',
      hashDigestLength: 16,
      clean: production,
    },
    plugins: [
      new MiniCssExtractPlugin({
        // Cascade layers decide between modules, so the order of files does not matter.
        ignoreOrder: true,
        filename: production ? '[name].[contenthash:8].css' : '[name].css',
        chunkFilename: production ? '[id].[contenthash:8].css' : '[name].css',
      }),
      production && process.env.SOURCE_MAPS === 'true' && sourceMaps(),
      new ManifestPlugin({ preload: /montserrat-(latin-wght|czech)/ }),
      !production && (await hotReload()),
    ],
    optimization: {
      splitChunks: {
        cacheGroups: {
          // Packages are bundled with the code that uses them, and without the rest: 2 KB less of the sign-up page.
          defaultVendors: false,
          // A separate file is compiled in a separate task, so that a phone is blocked for shorter.
          react: { test: /node_modules\/(react|react-dom|scheduler)\//, name: 'react', chunks: 'initial' },
          // What most pages need, so that a page loads one file less.
          frame: { name: 'main', chunks: 'all', minChunks: 9, enforce: true, test: /frontend\/src\// },
        },
      },
      minimizer: ['...', new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify })],
    },
    devServer: {
      host: '127.0.0.1',
      port: 3000,
      static: false,
      client: { overlay: false },
      proxy: [
        {
          context: (/** @type {string} */ path) => !path.startsWith('/static/app/') && path !== '/ws',
          target: 'http://127.0.0.1:8000',
        },
      ],
    },
  };
}

/**
 * Write source maps for Sentry to frontend/build/source-maps, which is not served and which no script names (docs/operations.md).
 * Off by default, because they slow the build down.
 */
function sourceMaps() {
  return new webpack.SourceMapDevToolPlugin({
    filename: '../source-maps/[file].map',
    append: false,
    test: /\.js$/,
  });
}

/** Return the plugin for development; a production install does not have the package. */
async function hotReload() {
  // oxlint-disable-next-line no-restricted-imports
  const { default: ReactRefreshPlugin } = await import('@pmmmwh/react-refresh-webpack-plugin');
  return new ReactRefreshPlugin({ overlay: false });
}

/**
 * Build the site for Node: one file, which refers to the browser's assets but writes none.
 *
 * @param {'production'} mode
 * @returns {Configuration}
 */
function prerender(mode) {
  return {
    ...shared(mode, { emit: false }),
    name: 'prerender',
    target: 'node20',
    devtool: false,
    entry: './src/app/prerender.tsx',
    output: {
      path: at('./build/prerender'),
      publicPath: '/static/app/',
      filename: 'prerender.cjs',
      assetModuleFilename: '[name].[contenthash:8][ext]',
      hashDigestLength: 16,
      library: { type: 'commonjs2' },
    },
    plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    optimization: { minimize: false },
  };
}

/**
 * Return the options that both builds share, so that the HTML of one refers to the files of the other.
 *
 * @param {'production' | 'development'} mode
 * @param {{ emit: boolean }} files whether styles and media are written
 * @returns {Configuration}
 */
function shared(mode, { emit }) {
  const production = mode === 'production';
  const styles = (/** @type {string} */ localIdentName) => [
    ...(emit ? [MiniCssExtractPlugin.loader] : []),
    {
      loader: 'css-loader',
      options: {
        modules: {
          auto: /\.module\.css$/,
          // With `import * as styles`, an unknown class name fails the build.
          namedExport: true,
          exportLocalsConvention: 'as-is',
          exportOnlyLocals: !emit,
          localIdentName,
          localIdentRegExp: /([^/]+)\.module\.css$/,
        },
      },
    },
  ];
  return {
    mode,
    context: at('.'),
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: {
        '@media': at('../static/media'),
        // The build parses every message, so production needs no parser. React Router's package always names its
        // development build.
        ...(production && {
          'react-router$': at('../node_modules/react-router/dist/production/index.mjs'),
          '@formatjs/icu-messageformat-parser$': '@formatjs/icu-messageformat-parser/no-parser.js',
        }),
      },
    },
    module: {
      parser: { javascript: { exportsPresence: 'error' } },
      rules: [
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          loader: 'babel-loader',
          options: {
            configFile: false,
            presets: [
              ['@babel/preset-env', { bugfixes: true }],
              ['@babel/preset-react', { runtime: 'automatic', development: !production }],
              ['@babel/preset-typescript', { onlyRemoveTypeImports: true }],
            ],
            plugins: production ? [] : ['react-refresh/babel'],
          },
        },
        // React Router ships as one module. preset-react marks its components as pure, and without statements about them
        // unused ones are dropped: 8 KB of the first load.
        production && {
          test: /node_modules\/react-router\/dist\/.*\.mjs$/,
          loader: 'babel-loader',
          options: {
            configFile: false,
            browserslistConfigFile: false,
            presets: ['@babel/preset-react'],
            plugins: [at('./tools/build/babel-drop-unused-components.js')],
          },
        },
        production && {
          test: /node_modules\/(@formatjs\/intl|intl-messageformat)\/index\.js$/,
          loader: 'babel-loader',
          options: {
            configFile: false,
            browserslistConfigFile: false,
            plugins: [at('./tools/build/babel-trust-languages.js')],
          },
        },
        {
          test: CONTENT,
          type: 'javascript/auto',
          use: './tools/build/catalogue-loader.js',
        },
        {
          test: /\.css$/,
          exclude: /documents\.css$/,
          use: styles(production ? '[hash:base64:5]' : '[name]__[local]'),
          sideEffects: true,
        },
        // css-loader compiles the modules that documents.css imports with its options: Django's templates name their classes.
        { test: /documents\.css$/, use: styles('[1]-[local]') },
        {
          test: /\.module\.css$/,
          enforce: 'pre',
          use: './tools/build/layer-loader.js',
        },
        {
          test: /\.avif$/,
          resourceQuery: /^\?picture$/,
          type: 'javascript/auto',
          use: './tools/build/picture-loader.js',
        },
        {
          resourceQuery: { not: /^\?picture$/ },
          test: /\.(woff2|avif|webp|jpe?g|png|svg|mp4|webm)$/,
          type: 'asset/resource',
          generator: { emit },
        },
      ],
    },
    performance: false,
    stats: 'errors-warnings',
  };
}
