/**
 * Modules that webpack creates from assets.
 *
 * CSS Modules export each class by its name: `import * as styles from './Card.module.css'`. The
 * build fails when a component asks for a class that the file does not define.
 */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export = classes;
}

declare module '*.css';

/** A picture with its copies (frontend/tools/build/picture-loader.js). */
declare module '@media/*?picture' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an import would make this file a module
  const files: import('./ui/Picture').PictureFiles;
  export default files;
}

declare module '@media/*' {
  const address: string;
  export default address;
}

/** The imports of all catalogues by language and name (frontend/tools/build/catalogue-loader.js). */
declare module '*.json?chunks' {
  /* oxlint-disable typescript/consistent-type-imports */
  type Load = () => Promise<{ default: import('./i18n/catalogues').Catalogue }>;
  const chunks: Record<
    import('./i18n/languages').Language,
    Record<import('./i18n/catalogues').CatalogueName, Load>
  >;
  export default chunks;
}

declare module '*.woff2' {
  const address: string;
  export default address;
}

/** The id of the build, which frontend/build/manifest.json has as `build`. */
declare const __webpack_hash__: string;
