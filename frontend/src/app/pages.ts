import { definePart, type Part } from '../later/part';

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
  dashboard: definePart(async () => {
    const module = await import(/* webpackChunkName: "page-dashboard" */ '../pages/dashboard/DashboardPage');
    return module.DashboardPage;
  }, 'dashboard'),
  notifications: definePart(async () => {
    const module = await import(
      /* webpackChunkName: "page-notifications" */ '../pages/notifications/NotificationsPage'
    );
    return module.NotificationsPage;
  }, 'notifications'),
  marketplace: definePart(async () => {
    const module = await import(
      /* webpackChunkName: "page-marketplace" */ '../pages/marketplace/MarketplacePage'
    );
    return module.MarketplacePage;
  }, 'marketplace'),
  academy: definePart(async () => {
    const module = await import(/* webpackChunkName: "page-academy" */ '../pages/academy/AcademyPage');
    return module.AcademyPage;
  }, 'academy'),
  events: definePart(async () => {
    const module = await import(/* webpackChunkName: "page-events" */ '../pages/events/EventsPage');
    return module.EventsPage;
  }, 'events'),
  newsletter: definePart(async () => {
    const module = await import(
      /* webpackChunkName: "page-newsletter" */ '../pages/newsletter/NewsletterPage'
    );
    return module.NewsletterPage;
  }, 'newsletter'),
  'sign-up': definePart(async () => {
    const module = await import(/* webpackChunkName: "page-sign-up" */ '../pages/sign-up/SignUpPage');
    return module.SignUpPage;
  }, 'auth'),
  'sign-in': definePart(async () => {
    const module = await import(/* webpackChunkName: "page-sign-in" */ '../pages/sign-in/SignInPage');
    return module.SignInPage;
  }, 'auth'),
  profile: definePart(async () => {
    const module = await import(/* webpackChunkName: "page-profile" */ '../pages/profile/ProfilePage');
    return module.ProfilePage;
  }, 'profile'),
  'not-found': definePart(async () => {
    const module = await import(/* webpackChunkName: "page-not-found" */ '../pages/not-found/NotFoundPage');
    return module.NotFoundPage;
  }, 'notFound'),
} satisfies Record<string, Part>;

export type PageName = keyof typeof pages;
