/** One picture as the browser may choose it; the modules of `frontend/src/pictures` are such. */
export interface PictureFiles {
  avif: string;
  webp: string;
  jpg: string;
  /** The largest file, for browsers that choose nothing. */
  src: string;
  width: number;
  height: number;
}

interface PictureProps {
  files: PictureFiles;
  /** Another cut of the picture, for a window that is higher than wide. */
  portrait?: PictureFiles;
  /** Empty for a picture that only decorates. */
  alt: string;
  /** How wide it is shown, as in the `sizes` of an image. */
  sizes: string;
  className?: string | undefined;
}

/** A picture that is there at once: AVIF, WebP or JPEG in the width that the screen needs. */
export function Picture({ files, portrait, alt, sizes, className }: PictureProps) {
  return (
    <picture>
      {portrait && <Sources files={portrait} sizes={sizes} media="(orientation: portrait)" />}
      <Sources files={files} sizes={sizes} />
      <img
        className={className}
        src={files.src}
        width={files.width}
        height={files.height}
        alt={alt}
        fetchPriority="high"
        decoding="async"
      />
    </picture>
  );
}

function Sources({ files, sizes, media }: { files: PictureFiles; sizes: string; media?: string }) {
  const { width, height } = files;
  return (
    <>
      {(['avif', 'webp', 'jpg'] as const).map((format) => (
        <source
          key={format}
          type={`image/${format === 'jpg' ? 'jpeg' : format}`}
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
