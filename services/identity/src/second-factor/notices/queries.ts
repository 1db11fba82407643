import { type Kysely, sql } from "kysely";
import { schema } from "../../db/schema.ts";
import type { Tables } from "../../db/tables.ts";
import { hasSecondFactor } from "../../db/has-second-factor.ts";

const [user, notice] = [sql.id(schema, "user"), sql.id(schema, "two_factor_notice")];

/** The users who will need a second factor. */
export interface NoticeRule {
  /** The roles of which it is required. Undefined means everyone. */
  roles: readonly string[] | undefined;
  defaultRole: string;
  requiredFrom: Date;
  now: Date;
}

export interface NotifiedUser {
  id: string;
  email: string;
  name: string;
  /** The user's additional field of this name. */
  locale: string | null;
}

/**
 * Records a notice for up to `limit` users without a second factor, in the order of their ids from after `after`, and returns them with the
 * last id that was looked at. Concurrent calls wait for each other's rows, so one of them returns a user. Users with an unverified address
 * and banned ones are left out, and users who are being deleted are left to a later call.
 */
export const insertNotices = async (
  trx: Kysely<Tables>,
  {
    roles,
    defaultRole,
    requiredFrom,
    now,
    after,
    limit,
  }: NoticeRule & { after: string; limit: number },
): Promise<{ notified: NotifiedUser[]; last: string | undefined }> => {
  const isMeant = roles
    ? sql`string_to_array(coalesce(nullif(role, ''), ${defaultRole}), ',') && ${[...roles]}::text[]`
    : sql`true`;
  const { rows } = await sql<NotifiedUser & { isNotified: boolean }>`
    with due as (
      select id, email, name, extra ->> 'locale' as locale from ${user}
      where id > ${after} and email_verified
        and (not banned or ban_expires <= ${now}) and ${isMeant} and not ${hasSecondFactor}
        and not exists (
          select from ${notice} as held where held.user_id = "user".id and held.required_from = ${requiredFrom}
        )
      order by id limit ${limit} for key share skip locked
    ), notified as (
      insert into ${notice} as held (user_id, required_from, notified_at)
      select id, ${requiredFrom}, ${now} from due order by id
      on conflict (user_id) do update
        set required_from = excluded.required_from, notified_at = excluded.notified_at
        where held.required_from <> excluded.required_from
      returning user_id
    )
    select id, email, name, locale, id in (select user_id from notified) as "isNotified" from due order by id`.execute(
    trx,
  );
  const notified = rows.filter(({ isNotified }) => isNotified);
  return {
    notified: notified.map(({ id, email, name, locale }) => ({ id, email, name, locale })),
    last: rows.length < limit ? undefined : rows.at(-1)?.id,
  };
};
