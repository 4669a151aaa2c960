import { fileURLToPath } from 'node:url';

import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import MinimizerPlugin from 'minimizer-webpack-plugin';
import webpack from 'webpack';

import { ManifestPlugin } from './frontend/tools/build/manifest-plugin.js';

/** @typedef {import('webpack').Configuration} Configuration */

/** @param {string} path from the root of the project */
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Builds what Django links: hashed files under frontend/build/app, and a manifest that names them. For production
 * also the bundle that frontend/tools/build/prerender.js renders the public pages with.
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
      main: './frontend/src/index.tsx',
      begin: './frontend/src/deferHydration.ts',
      documents: './frontend/src/styles/documents.css',
    },
    output: {
      path: at('./frontend/build/app'),
      publicPath: '/static/app/',
      filename: production ? '[name].[contenthash:16].js' : '[name].js',
      // One hash for all chunks of a build: else the first load would hold a list of what every one is called.
      ...(production && { chunkFilename: '[id].[fullhash:12].js' }),
      chunkLoadingGlobal: 'sailing', // at the head of each chunk
      assetModuleFilename: production ? '[name].[contenthash:16][ext]' : '[name][ext]',
      hashDigestLength: 16,
      clean: production,
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: production ? '[name].[contenthash:16].css' : '[name].css',
        ...(production && { chunkFilename: '[id].[fullhash:12].css' }),
      }),
      production && process.env.SOURCE_MAPS === 'true' && sourceMaps(),
      new ManifestPlugin({
        path: at('./frontend/build/manifest.json'),
        preload: /montserrat-(latin-wght|czech)/,
      }),
      !production && (await hotReload()),
    ],
    optimization: {
      // Short, for the first load; they need not be the same after the next build, whose chunks have names of their own.
      ...(production && { moduleIds: 'size', chunkIds: 'size', mangleExports: 'size' }),
      splitChunks: {
        cacheGroups: {
          // A file of its own is compiled in a task of its own: the other one blocks a phone for less.
          react: { test: /node_modules\/(react|react-dom|scheduler)\//, name: 'react', chunks: 'initial' },
        },
      },
      minimizer: [
        // A function that stays where it was written repeats what stands around it: gzip makes less of it. No code here
        // reads a property for what reading it does, or makes an object of a function without a name of its own.
        new MinimizerPlugin({
          terserOptions: {
            ecma: 2020,
            compress: {
              passes: 3,
              module: true,
              unsafe_arrows: true,
              reduce_funcs: false,
              pure_getters: true,
            },
          },
        }),
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
      ],
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
 * Source maps for Sentry, beside the site and not in it: frontend/build/source-maps is never collected, and no script
 * names its map (docs/deploy.md, "Seeing what happens"). Left out by default, because they make the build slower.
 */
function sourceMaps() {
  return new webpack.SourceMapDevToolPlugin({
    filename: '../source-maps/[file].map',
    append: false,
    test: /\.js$/,
  });
}

/** What development has besides: a site that is only built does without the package. */
async function hotReload() {
  const { default: ReactRefreshPlugin } = await import('@pmmmwh/react-refresh-webpack-plugin');
  return new ReactRefreshPlugin({ overlay: false });
}

/**
 * The same program for Node: one file, which names the browser's files and writes none of them.
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
    entry: './frontend/src/prerender.tsx',
    output: {
      path: at('./frontend/build/prerender'),
      publicPath: '/static/app/',
      filename: 'prerender.cjs',
      assetModuleFilename: '[name].[contenthash:16][ext]',
      hashDigestLength: 16,
      library: { type: 'commonjs2' },
    },
    plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    optimization: { minimize: false },
  };
}

/**
 * What both builds must agree on, so that a page rendered by one fits the files of the other.
 *
 * @param {'production' | 'development'} mode
 * @param {{ emit: boolean }} files whether styles and media are written
 * @returns {Configuration}
 */
function shared(mode, { emit }) {
  const production = mode === 'production';
  return {
    mode,
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: {
        '@media': at('./static/media'),
        // The build compiles every message, so production needs no parser of them; React Router's package
        // names its build with development warnings whatever the mode.
        ...(production && {
          'react-router$': at('./node_modules/react-router/dist/production/index.mjs'),
          '@formatjs/icu-messageformat-parser$': '@formatjs/icu-messageformat-parser/no-parser.js',
        }),
      },
    },
    module: {
      parser: { javascript: { exportsPresence: 'error' } },
      rules: [
        { test: /\.tsx?$/, exclude: /node_modules/, use: 'babel-loader' },
        // React Router ships as one module whose unused components look as if they did something. Marking
        // them as what they are, as preset-react does for our own, takes 7 KB off the first load.
        production && {
          test: /node_modules\/react-router\/dist\/.*\.mjs$/,
          loader: 'babel-loader',
          options: {
            configFile: false,
            browserslistConfigFile: false,
            presets: ['@babel/preset-react'],
            plugins: [at('./frontend/tools/build/babel-drop-display-names.js')],
          },
        },
        // 0.8 KB less, for what nothing here formats.
        production && {
          test: /node_modules\/@formatjs\/intl\/index\.js$/,
          loader: 'babel-loader',
          options: {
            configFile: false,
            browserslistConfigFile: false,
            plugins: [
              at('./frontend/tools/build/babel-drop-formats.js'),
              at('./frontend/tools/build/babel-trust-languages.js'),
            ],
          },
        },
        production && {
          test: /node_modules\/intl-messageformat\/index\.js$/,
          loader: 'babel-loader',
          options: {
            configFile: false,
            browserslistConfigFile: false,
            plugins: [at('./frontend/tools/build/babel-trust-languages.js')],
          },
        },
        {
          test: /\/messages\/(en|cs)\/\w+\.json$/,
          type: 'javascript/auto',
          use: './frontend/tools/build/catalogue-loader.js',
        },
        {
          test: /\.css$/,
          use: [
            ...(emit ? [MiniCssExtractPlugin.loader] : []),
            {
              loader: 'css-loader',
              options: {
                modules: {
                  auto: /\.module\.css$/,
                  // `import * as styles`: a class name that the file lacks fails the build.
                  namedExport: true,
                  exportLocalsConvention: 'as-is',
                  exportOnlyLocals: !emit,
                  localIdentName: production ? '[hash:base64:6]' : '[name]__[local]',
                },
              },
            },
          ],
          sideEffects: true,
        },
        {
          test: /\.module\.css$/,
          enforce: 'pre',
          use: './frontend/tools/build/layer-loader.js',
        },
        {
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
