import { type SigningPhoto, signingLimits } from '@waiver-service/forms';
import { useState } from 'preact/hooks';
import { newId } from '../draft/draft.ts';
import { type AnswerProps, Field } from '../fields/field.tsx';
import { useSigning } from '../screens/signing-context.ts';

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
async function shrink(file: Blob): Promise<Pick<SigningPhoto, 'type' | 'data'>> {
  const image = await loadImage(file);
  for (const [maxSide, quality] of attempts) {
    const url = draw(image, maxSide).toDataURL('image/jpeg', quality);
    const data = url.slice(url.indexOf(',') + 1);
    if ((data.length * 3) / 4 <= maxBytes) return { type: 'image/jpeg', data };
  }
  throw new Error('too large');
}

/** A photo from the camera or the device, shrunk before it is stored. */
export function PhotoQuestion({ texts, answer, onAnswer }: AnswerProps) {
  const { words, draft, change } = useSigning();
  const [state, setState] = useState<'ready' | 'working' | 'failed' | 'full'>('ready');
  const photo = draft.photos.find(({ id }) => id === answer);

  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (photo === undefined && draft.photos.length >= signingLimits.photos) {
      setState('full');
      return;
    }
    setState('working');
    try {
      const taken = { id: newId(), ...(await shrink(file)) };
      change((former) => ({
        ...former,
        photos: [...former.photos.filter(({ id }) => id !== answer), taken],
      }));
      onAnswer(taken.id);
      setState('ready');
    } catch {
      setState('failed');
    }
  };

  const { photoWorking, photoFailed, photoLimit } = words.fields;
  const status = { ready: '', working: photoWorking, failed: photoFailed, full: photoLimit }[state];
  return (
    <>
      <Field
        {...texts}
        control={(props) => (
          <div class="photo">
            {photo && <img src={`data:${photo.type};base64,${photo.data}`} alt="" />}
            <label class="button secondary">
              <span>{photo === undefined ? words.fields.photo : words.fields.otherPhoto}</span>
              <input
                {...props}
                class="visually-hidden"
                type="file"
                accept="image/*"
                aria-label={texts.label}
                onChange={({ currentTarget }) => {
                  void take(currentTarget.files?.[0]);
                  // So that choosing the same file again fires an event.
                  currentTarget.value = '';
                }}
              />
            </label>
          </div>
        )}
      />
      <p class="help" role="status">
        {status && <span>{status}</span>}
      </p>
    </>
  );
}
