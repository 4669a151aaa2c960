/** What browsers must understand stands in package.json under `browserslist`. */
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
