/** The files of a picture: `import cover from '@media/cover.avif?picture'` (frontend/tools/build/picture-loader.js). */
export interface PictureFiles {
  /** The `srcset` of all widths. */
  avif: string;
  /** One WebP, for browsers without AVIF. */
  webp: string;
  width: number;
  height: number;
}

/** A picture with its description, as the API sends it. */
export interface DescribedPicture extends PictureFiles {
  alt: string;
}

export interface PictureProps {
  files: PictureFiles;
  /** Another picture, shown where `portraitMedia` matches. */
  portrait?: PictureFiles | undefined;
  /** The media query for it; by default a window of less than 1024 px. */
  portraitMedia?: string;
  /** Empty for a decorative picture. */
  alt: string;
  /** The `sizes` attribute. */
  sizes: string;
  /** Whether it loads when it is near the viewport; else it has a high priority. */
  lazy?: boolean;
  className?: string | undefined;
}

/** A picture as AVIF in the width that the screen needs. */
export function Picture({
  files,
  portrait,
  portraitMedia = '(width < 1024px)',
  alt,
  sizes,
  lazy = false,
  className,
}: PictureProps) {
  return (
    <picture>
      {portrait && <Source files={portrait} sizes={sizes} media={portraitMedia} />}
      <Source files={files} sizes={sizes} />
      {/* Browsers start to load at `src`, so `loading` and `fetchPriority` come before it. */}
      <img
        {...(lazy ? { loading: 'lazy' } : { fetchPriority: 'high' })}
        className={className}
        src={files.webp}
        width={files.width}
        height={files.height}
        alt={alt}
        decoding="async"
      />
    </picture>
  );
}

function Source({ files, sizes, media }: { files: PictureFiles; sizes: string; media?: string }) {
  const { avif, width, height } = files;
  return <source type="image/avif" srcSet={avif} sizes={sizes} media={media} width={width} height={height} />;
}
