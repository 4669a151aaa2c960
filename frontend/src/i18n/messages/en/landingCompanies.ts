import landingCompanies from './landingCompanies.json';
import landingCompaniesBelow from './landingCompaniesBelow.json';

/** The messages of /landing-companies, beyond the public ones. */
export default { ...landingCompanies, ...landingCompaniesBelow };
