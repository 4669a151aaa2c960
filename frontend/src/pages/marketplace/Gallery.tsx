import { useState } from 'react';
import { useIntl } from 'react-intl';

import { Picture } from '../../ui/Picture';
import { PictureFrame } from '../../ui/PictureFrame';
import type { Boat } from './boat';
import * as styles from './Gallery.module.css';

/** Render the pictures of a boat: one large, and a button for each. */
export function Gallery({ boat: { name, images } }: { boat: Boat }) {
  const { formatMessage } = useIntl();
  const [shown, setShown] = useState(images[0]);
  return (
    <div
      role="group"
      aria-label={formatMessage({ id: 'marketplace.pictures' }, { name })}
      className={styles.gallery}
    >
      <PictureFrame
        files={shown}
        alt={shown.alt}
        sizes="(width >= 768px) 34rem, 92vw"
        className={styles.large}
      />
      {images.length > 1 && (
        <ul className={styles.choice}>
          {images.map((image) => (
            <li key={image.webp}>
              <button
                type="button"
                className={styles.thumbnail}
                aria-label={image.alt}
                aria-current={image === shown ? 'true' : undefined}
                onClick={() => setShown(image)}
              >
                <Picture files={image} alt="" sizes="8rem" lazy className={styles.picture} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
