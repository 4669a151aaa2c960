import { loadChunk } from '../lazy/loadChunk';
import { definePart, type Part } from '../lazy/part';
import type { MemberPageName } from './memberPages';

const loadMemberPages = () =>
  loadChunk(() => import(/* webpackChunkName: "member-pages" */ './memberPages'), 'optional');

/** A page for members or on the way there: a visitor's first load does not even know where its files are. */
function memberPage(name: MemberPageName, group: string): Part {
  return definePart(
    async () => (await loadMemberPages()).memberPages[name](),
    group,
    async (_, language) => (await loadMemberPages()).loadMemberGroup(group, language),
  );
}

/** Every page of frontend/routes.json; Django links the chunk `page-<name>` of the page it answers with. */
export const pages = {
  crossroad: definePart(async () => {
    const module = await import(/* webpackChunkName: "page-crossroad" */ '../pages/crossroad/CrossroadPage');
    return module.CrossroadPage;
  }, 'crossroad'),
  landing: definePart(async () => {
    const module = await import(/* webpackChunkName: "page-landing" */ '../pages/landing/LandingPage');
    return module.LandingPage;
  }, 'landing'),
  'landing-sailors': definePart(async () => {
    const module = await import(
      /* webpackChunkName: "page-landing-sailors" */ '../pages/landing-sailors/LandingSailorsPage'
    );
    return module.LandingSailorsPage;
  }, 'landingSailors'),
  'landing-companies': definePart(async () => {
    const module = await import(
      /* webpackChunkName: "page-landing-companies" */ '../pages/landing-companies/LandingCompaniesPage'
    );
    return module.LandingCompaniesPage;
  }, 'landingCompanies'),
  newsletter: definePart(async () => {
    const module = await import(
      /* webpackChunkName: "page-newsletter" */ '../pages/newsletter/NewsletterPage'
    );
    return module.NewsletterPage;
  }, 'newsletter'),
  dashboard: memberPage('dashboard', 'dashboard'),
  notifications: memberPage('notifications', 'notifications'),
  marketplace: memberPage('marketplace', 'marketplace'),
  academy: memberPage('academy', 'academy'),
  events: memberPage('events', 'events'),
  'sign-up': memberPage('sign-up', 'auth'),
  'sign-in': memberPage('sign-in', 'auth'),
  profile: memberPage('profile', 'profile'),
  'not-found': definePart(async () => {
    const module = await import(/* webpackChunkName: "page-not-found" */ '../pages/not-found/NotFoundPage');
    return module.NotFoundPage;
  }, 'notFound'),
} satisfies Record<string, Part>;

export type PageName = keyof typeof pages;
