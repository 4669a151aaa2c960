import { type AuditResult, serverAudits } from 'graphql-http';

import { expect, SWEEP, test } from './site';

/** The audits that read the schema, which only the development build shows. */
const INTROSPECTION = [
  'MUST accept utf-8 encoded request',
  'SHOULD allow map {variables} parameter when accepting application/graphql-response+json',
  'MUST allow map {variables} parameter when accepting application/json',
];

test('/graphql passes the audits of GraphQL over HTTP', SWEEP, async ({ baseURL }, { project }) => {
  const results: AuditResult[] = [];
  // Not `auditServer`: the server refuses 61 requests at once.
  for (const { fn } of serverAudits({ url: `${baseURL}/graphql` })) results.push(await fn());
  const failed = results.filter(({ status }) => status === 'error' || status === 'warn');
  expect(failed.map(({ name }) => name)).toEqual(project.name === 'site' ? INTROSPECTION : []);
});
