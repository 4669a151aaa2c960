import { useState } from 'react';
import { useIntl } from 'react-intl';

import { useT } from '../../../i18n/LanguageProvider';
import { client } from '../../../lib/api/client';
import { describeError } from '../../../lib/api/errors';
import { PersonalDataDocument } from '../../../lib/api/generated';
import { Button } from '../../../ui/Button';
import { FormMessage } from '../../../ui/FormMessage';
import type { PanelProps } from './panel';
import * as styles from './panels.module.css';

const FORMATS = {
  html: { labelId: 'account.downloadHtml', type: 'text/html' },
  json: { labelId: 'account.downloadJson', type: 'application/json' },
} as const;

type Format = keyof typeof FORMATS;

/** The buttons that download everything stored about the member, to read or for another service. */
export function DownloadData({ showResult }: PanelProps) {
  const t = useT();
  const intl = useIntl();
  const [pending, setPending] = useState<Format>();
  const [error, setError] = useState<unknown>();

  async function download(format: Format) {
    if (pending) return;
    setPending(format);
    setError(undefined);
    showResult(undefined);
    try {
      const { data } = await client.query({ query: PersonalDataDocument });
      // Without a message, so that the page shows its own.
      if (!data) throw new Error();
      saveFile(`sailing-account.${format}`, data.personalData[format], FORMATS[format].type);
      showResult(intl.formatMessage({ id: 'account.downloaded' }));
    } catch (failure) {
      setError(failure);
    } finally {
      setPending(undefined);
    }
  }

  return (
    <div className={styles.panel}>
      <p className="muted">{t('account.downloadNote')}</p>
      <FormMessage>{error ? describeError(error, intl, 'account.downloadFailed') : undefined}</FormMessage>
      <div className={styles.downloads}>
        {(['html', 'json'] as const).map((format) => (
          <Button
            key={format}
            variant="secondary"
            pendingLabel={pending === format && intl.formatMessage({ id: 'account.downloading' })}
            data-track="download_data"
            data-track-item={format}
            onClick={() => void download(format)}
          >
            {t(FORMATS[format].labelId)}
          </Button>
        ))}
      </div>
    </div>
  );
}

const REVOKE_AFTER_MS = 60_000;

/** Let the browser save a text as a file. */
function saveFile(name: string, content: string, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // Safari reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
