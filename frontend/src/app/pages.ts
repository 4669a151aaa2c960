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
