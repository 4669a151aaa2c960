import { beforeEach, expect, test } from 'vitest';

import type { Language } from '../i18n/languages';
import { SITE } from '../test/render';
import { describePage } from './describePage';
import { getRoute } from './routes';

const HEAD = '<meta charset="utf-8"><title>Where we are</title><link rel="icon" href="/icon.svg">';

beforeEach(() => {
  document.head.innerHTML = HEAD;
});

function describeAs(path: string, language: Language = 'en') {
  const text = { title: 'Where we are', description: `What "${path}" is about` };
  describePage({ entry: getRoute(path), language, site: SITE, ...text });
}

const tags = () => [...document.head.children].map((tag) => tag.outerHTML);

// e2e/navigation.spec.ts compares the head with Django's for every page.
test('a public page has a description, links to its languages and Open Graph tags', () => {
  describeAs('/newsletter/', 'cs');
  expect(tags()).toEqual([
    '<meta charset="utf-8">',
    '<title>Where we are</title>',
    '<meta name="description" content="What &quot;/newsletter/&quot; is about">',
    '<link rel="canonical" href="https://sailing.example/newsletter?lang=cs">',
    '<link rel="alternate" hreflang="en" href="https://sailing.example/newsletter">',
    '<link rel="alternate" hreflang="cs" href="https://sailing.example/newsletter?lang=cs">',
    '<link rel="alternate" hreflang="x-default" href="https://sailing.example/newsletter">',
    '<meta property="og:type" content="website">',
    '<meta property="og:site_name" content="Sailing">',
    '<meta property="og:title" content="Where we are">',
    '<meta property="og:description" content="What &quot;/newsletter/&quot; is about">',
    '<meta property="og:url" content="https://sailing.example/newsletter?lang=cs">',
    '<meta property="og:locale" content="cs_CZ">',
    '<meta property="og:locale:alternate" content="en_US">',
    '<meta property="og:image" content="https://sailing.example/static/media/og.jpg">',
    '<meta property="og:image:width" content="1200">',
    '<meta property="og:image:height" content="630">',
    '<meta name="twitter:card" content="summary_large_image">',
    '<link rel="icon" href="/icon.svg">',
  ]);
});

test('the canonical URL of the home page ends with a slash', () => {
  describeAs('/');
  expect(document.querySelector('link[rel="canonical"]')).toHaveAttribute('href', 'https://sailing.example/');
});

test('a page that is not public is noindex, also after a public one', () => {
  describeAs('/newsletter');
  describeAs('/no-such-port');
  expect(tags()).toEqual([
    '<meta charset="utf-8">',
    '<title>Where we are</title>',
    '<meta name="description" content="What &quot;/no-such-port&quot; is about">',
    '<meta name="robots" content="noindex">',
    '<link rel="icon" href="/icon.svg">',
  ]);
  describeAs('/newsletter');
  expect(document.querySelector('meta[name="robots"]')).toBeNull();
});
