/** Media queries that scripts share with the style sheets; their widths are the breakpoints of styles/tokens.css. */
export const TABLET_UP = '(width >= 768px)';
export const DESKTOP_UP = '(width >= 1024px)';
