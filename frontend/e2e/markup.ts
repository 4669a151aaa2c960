import { HtmlValidate } from 'html-validate';

const pages = new HtmlValidate({ extends: ['html-validate:standard'] });

const mails = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    'no-deprecated-attr': 'off', // Outlook on Windows needs `align`, `bgcolor` and the attributes of tables
  },
});

/** Return what html-validate finds in a page or a mail. */
export async function findMarkupErrors(html: string, kind: 'page' | 'mail' = 'page'): Promise<string[]> {
  const { results } = await (kind === 'mail' ? mails : pages).validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ line, message, ruleId, selector }) => `${line}: ${message} (${ruleId}) ${selector ?? ''}`,
    ),
  );
}
