import { signingLimits } from '@waiver-service/forms';
import { useState } from 'preact/hooks';
import { newId } from '../draft/draft.ts';
import { Field } from '../fields/field.tsx';
import type { AnswerProps } from '../fields/question.tsx';
import { useSigning } from '../screens/signing-context.ts';
import { shrink } from './shrink.ts';

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
