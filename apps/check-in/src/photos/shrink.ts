import type { SigningPhoto } from '@waiver-service/forms';

const maxBytes = 400 * 1024;
/** Maximum sides, in pixels, and JPEG qualities to try until a photo is small enough. */
const attempts = [
  [1600, 0.8],
  [1280, 0.7],
  [1024, 0.6],
  [640, 0.5],
] as const;

async function loadImage(file: Blob): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    // Browsers rotate the picture by its EXIF data.
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function draw(image: HTMLImageElement, maxSide: number): HTMLCanvasElement {
  const scale = Math.min(1, maxSide / Math.max(image.naturalWidth, image.naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  // White background, because JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * A photo as it is sent: a JPEG of at most 400 KB, in base64. Drops all metadata, such as where it was taken.
 * @throws if the browser cannot decode the file as a picture
 */
export async function shrink(file: Blob): Promise<Pick<SigningPhoto, 'type' | 'data'>> {
  const image = await loadImage(file);
  for (const [maxSide, quality] of attempts) {
    const url = draw(image, maxSide).toDataURL('image/jpeg', quality);
    const data = url.slice(url.indexOf(',') + 1);
    if ((data.length * 3) / 4 <= maxBytes) return { type: 'image/jpeg', data };
  }
  throw new Error('too large');
}
