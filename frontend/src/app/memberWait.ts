import { definePart } from '../later/part';

/** What stands in a member's page while there is no member to show. */
export const memberWait = definePart(async () => {
  const module = await import(/* webpackChunkName: "part-member-wait" */ './MemberWait');
  return module.MemberWait;
}, 'memberWait');
