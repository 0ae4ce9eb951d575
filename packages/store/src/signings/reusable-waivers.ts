import { type Answers, isMaskedEmail } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** A signed waiver that has not expired, with its signing. */
export interface ReusableWaiver {
  readonly id: string;
  /** The id of the signing. */
  readonly signing: string;
  /** Position among the signing's guests. */
  readonly guest: number;
  readonly isSigner: boolean;
  readonly form: string;
  readonly formVersion: number;
  /** The leaf of its record, in hexadecimal. */
  readonly leaf: string;
  readonly receivedAt: Date;
  readonly validUntil: string;
  readonly answers: Answers;
  readonly flags: readonly { readonly item: string; readonly label: string }[];
}

// Many waivers may have the same address, such as a club's.
const maxWaivers = 200;

/**
 * The waivers with an e-mail address that were signed on the check-in page and are valid on a day, newest first; not
 * those that only confirm another. None for an agency's alias, which is not a guest's own address.
 *
 * @param day - `YYYY-MM-DD`
 */
export async function findReusableWaivers(
  database: Database,
  { pool, email, day }: { readonly pool: string; readonly email: string; readonly day: string },
): Promise<ReusableWaiver[]> {
  if (isMaskedEmail(email)) return [];
  const { rows } = await sql<Omit<ReusableWaiver, 'answers'> & { readonly answers: string }>`
with wanted as materialized (select normalized_email(${JSON.stringify({ email })}) as email)
select w.id, g.signing, g.guest, g.is_signer, s.form, s.form_version,
  encode(s.leaf, 'hex') as leaf, s.received_at, w.valid_until, w.answers,
  (select coalesce(json_agg(json_build_object('item', f.item, 'label', f.label) order by f.item), '[]')
    from signing_flag f where f.pool = w.pool and f.waiver_id = w.id) as flags
from wanted n
join waiver w on w.pool = ${pool} and w.erasure is null and not w.deleted and w.current_page is null
  and hashtextextended(normalized_email(w.answers), 0) = hashtextextended(n.email, 0)
  and normalized_email(w.answers) = n.email
join signing_waiver g on g.pool = w.pool and g.waiver_id = w.id
join signing s on s.pool = g.pool and s.id = g.signing and s.reuse_of is null
where w.valid_until >= ${day}
order by s.received_at desc, w.id limit ${maxWaivers}::integer`.execute(database);
  return rows.map((row) => ({ ...row, answers: JSON.parse(row.answers) }));
}
