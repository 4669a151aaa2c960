/**
 * Which browsers the code must run in stands in package.json, under `browserslist`.
 *
 * @param {import('@babel/core').ConfigAPI} api
 * @returns {import('@babel/core').TransformOptions}
 */
export default (api) => {
  const development = api.env('development');
  return {
    presets: [
      ['@babel/preset-env', { bugfixes: true }],
      ['@babel/preset-react', { runtime: 'automatic', development }],
      ['@babel/preset-typescript', { onlyRemoveTypeImports: true }],
    ],
    plugins: development ? ['react-refresh/babel'] : [],
  };
};
