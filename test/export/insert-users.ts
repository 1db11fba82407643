import { openRows } from "../harness/rows.ts";
import type { Place } from "./place.ts";

/** The rows of each user, by the user's number `n`. */
const statements = [
  `insert into identity."user" (id, name, email, email_verified, created_at, updated_at)
   select 'u' || n, 'Person ' || n, 'person' || n || '@example.com', true, now(), now()`,
  `insert into identity.account (id, user_id, provider_id, account_id, password, created_at, updated_at)
   select 'a' || n, 'u' || n, 'credential', 'u' || n, repeat('f', 160), now(), now()`,
  `insert into identity.session
     (id, token_hash, token_sealed, user_id, expires_at, created_at, updated_at, ip_address, user_agent)
   select 's' || n, sha256(n::text::bytea), repeat('s', 90), 'u' || n, now() + interval '7 days', now(), now(),
     '203.0.113.7', repeat('b', 100)`,
  `insert into identity.audit
     (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
   select now(), 'user', 'u' || n, 'user', 'u' || n, 'user.created', 'success', '203.0.113.7', 'r' || n`,
];
/** Limits the size of a statement, because statements have a timeout. */
const batchMax = 4_000;

/** Inserts users, each with an account, a session and an audit entry. */
export const insertUsers = async (
  place: Pick<Place, "databaseUrl">,
  count: number,
): Promise<void> => {
  const rows = openRows(place);
  try {
    for (let from = 1; from <= count; from += batchMax)
      for (const statement of statements)
        await rows.query(
          `${statement} from generate_series($1::int, $2::int) as n`,
          from,
          Math.min(from + batchMax - 1, count),
        );
  } finally {
    await rows.close();
  }
};
