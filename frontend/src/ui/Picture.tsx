/** One picture as the browser may choose it; the modules of `frontend/src/pictures` are such. */
export interface PictureFiles {
  avif: string;
  webp: string;
  /** The largest WebP: for browsers that choose nothing. */
  src: string;
  width: number;
  height: number;
}

/** A picture with its description, as the API sends it. */
export interface DescribedPicture extends PictureFiles {
  alt: string;
}

export interface PictureProps {
  files: PictureFiles;
  /** Another cut of the picture, for a window that is higher than wide. */
  portrait?: PictureFiles;
  /** When that cut is taken; by default whenever the window is higher than wide. */
  portraitMedia?: string;
  /** Empty for a picture that only decorates. */
  alt: string;
  /** How wide it is shown, as in the `sizes` of an image. */
  sizes: string;
  /** Whether it waits until the visitor comes near; else it is loaded before everything. */
  lazy?: boolean;
  className?: string | undefined;
}

/** A picture: AVIF or WebP in the width that the screen needs, or else the largest. */
export function Picture({
  files,
  portrait,
  portraitMedia = '(orientation: portrait)',
  alt,
  sizes,
  lazy = false,
  className,
}: PictureProps) {
  return (
    <picture>
      {portrait && <Sources files={portrait} sizes={sizes} media={portraitMedia} />}
      <Sources files={files} sizes={sizes} />
      {/* Browsers begin to load at `src`, so how to load stands before it. */}
      <img
        {...(lazy ? { loading: 'lazy' } : { fetchPriority: 'high' })}
        className={className}
        src={files.src}
        width={files.width}
        height={files.height}
        alt={alt}
        decoding="async"
      />
    </picture>
  );
}

function Sources({ files, sizes, media }: { files: PictureFiles; sizes: string; media?: string }) {
  const { width, height } = files;
  return (
    <>
      {(['avif', 'webp'] as const).map((format) => (
        <source
          key={format}
          type={`image/${format}`}
          srcSet={files[format]}
          sizes={sizes}
          media={media}
          width={width}
          height={height}
        />
      ))}
    </>
  );
}
