/** The kind of a value, by its field's name. Unlike `personal` values, remarks consist of words common in field names. */
export type FieldKind =
  | 'personal'
  | 'remark'
  | 'time'
  | 'zone'
  | 'status'
  | 'count'
  | 'id'
  | 'event'
  | 'other';

const personal =
  /contact|^customer$|^owner$|birth|dob$|^age$|^(first|last|full|middle|sur|fore|family|given)_?name$|holder|e?-?mail|phone|mobile|fax|address|street|city|zip|post_?code|passport|passenger|customer_name|secret|token|password|key$|signature/i;
const remark = /note|comment|message|remark|description|special_?request|url$/i;
const zone = /zone/i;
const status = /status|state$/i;
const time = /^(start|end|arrival)|(start|end)$|time|date|(_at|At)$|^utc|created|updated|modified|expires/i;
const count = /quantit|qty|^pax|count$|occupancy|^totalParticipants$/i;
const event = /^(events?|topic|action)(_?(name|type))?$/i;
const id = /(^|_)(id|pk)$|[a-z]I[dD]$/;

/** A field's kind by its name. If several match, the most personal one wins. */
export function kindOfField(name: string): FieldKind {
  if (remark.test(name)) return 'remark';
  if (personal.test(name)) return 'personal';
  if (zone.test(name)) return 'zone';
  if (status.test(name)) return 'status';
  if (time.test(name)) return 'time';
  if (count.test(name)) return 'count';
  if (event.test(name)) return 'event';
  return id.test(name) ? 'id' : 'other';
}

const types = ['adult', 'child', 'youth', 'infant', 'senior', 'student', 'family', 'military', 'traveller'];

const words = new Set([
  ...types.flatMap((type) => [type, `${type}s`]),
  ...[
    'children',
    'guest',
    'guests',
    'person',
    'people',
    'participant',
    'participants',
    'other',
    'unit',
    'booking',
    'waiver',
    'waivers',
  ],
  ...[
    'name',
    'full name',
    'first name',
    'last name',
    'email',
    'e-mail',
    'email address',
    'phone',
    'phone number',
  ],
  ...['mobile', 'date of birth', 'birth date', 'age', 'height', 'weight', 'gender', 'country', 'allergies'],
  ...[
    'start_time',
    'opening_hours',
    'pass',
    'sessionpass',
    'membership',
    'recurringpass',
    'available',
    'default',
  ],
  ...['ok', 'text', 'date', 'number', 'boolean', 'true', 'false', 'yes', 'no', 'pself', 'pnew', 'punknown'],
  ...['cadults', 'cchildren', 'cinfants', 'per_booking', 'per_person', 'date_and_time'],
]);

/** Whether a text is a trade word: it reveals nothing about a person, and reading a booking may depend on it. */
export const isTradeWord = (text: string): boolean => words.has(text.trim().toLowerCase());
