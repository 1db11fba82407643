import { Client } from "pg";

const keyLength = 64;

/** The text of the seeded key number `index`, from 1. */
export const keyTextOf = (index: number): string => `key${index}`.padEnd(keyLength, "x");

/** Their limits are counted, and never reached. */
const seed = `
insert into apikey.api_key (id, name, start, key, user_id, rate_limit_enabled, rate_limit_time_window, rate_limit_max,
  remaining, created_at, updated_at)
select md5('key' || n), 'Key ' || n, substr(text, 1, 6),
  rtrim(translate(encode(sha256(convert_to(text, 'UTF8')), 'base64'), '+/', '-_'), '='), md5('user' || n % 1000),
  true, 86400000, 2000000000, 2000000000, now() - ($1::int - n) * interval '1 second', now()
from generate_series(1, $1::int) n, rpad('key' || n, $2::int, 'x') as text`;

/** So many keys of a thousand users. */
export const seedKeys = async (databaseUrl: string, count: number): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(seed, [count, keyLength]);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
};
