import { Client } from "pg";
import { fillTables } from "./fill-tables.ts";
import type { KeptStores } from "./kept-stores.ts";

export const keyLength = 64;

/** Returns the text of the seeded key number `index`, counted from 1. */
export const keyTextOf = (index: number): string => `key${index}`.padEnd(keyLength, "x");

/** One key in a hundred is disabled: the one with this remainder. */
const disabledOf100 = 7;

/** Whether the seeded key number `index` is enabled, if one in a hundred is disabled. */
export const isEnabled = (index: number): boolean => index % 100 !== disabledOf100;

/** Users with ten keys each, whose limits are counted and never reached. Optionally one key in a hundred is disabled. */
const seed = `
insert into apikey.api_key (id, name, start, prefix, key, user_id, enabled, rate_limit_enabled, rate_limit_time_window, rate_limit_max,
  remaining, created_at, updated_at)
select md5('key' || n), 'Key ' || n, 'key' || substr(md5(n::text), 1, 5), case when n % 2 = 0 then 'app' || n % 100 end,
  rtrim(translate(encode(sha256(convert_to(text, 'UTF8')), 'base64'), '+/', '-_'), '='), md5('user' || n / 10),
  not $3::boolean or n % 100 <> ${disabledOf100}, true, 86400000, 2000000000, 2000000000, now() - ($1::int - n) * interval '1 second', now()
from generate_series(1, $1::int) n, rpad('key' || n, $2::int, 'x') as text`;

/** Creates `count` keys. */
export const seedKeys = async (
  databaseUrl: string,
  count: number,
  { hasDisabled = false } = {},
): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await fillTables(client, ["apikey.api_key"], async () => {
      await client.query(seed, [count, keyLength, hasDisabled]);
    });
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
};

/** Creates `count` keys, one in a hundred of them disabled. */
export const seedSharedKeys = ({ databaseUrl, once }: KeptStores, count: number): Promise<void> =>
  once("keys", () => seedKeys(databaseUrl, count, { hasDisabled: true }));
