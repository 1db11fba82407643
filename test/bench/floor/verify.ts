import { hash } from "node:crypto";
import Fastify from "fastify";
import pg from "pg";

const statement = {
  name: "floor",
  text: `update apikey.api_key
  set remaining = remaining - 1, request_count = request_count + 1, last_request = now()
  where key = $1 and remaining > 0
  returning id, name, start, prefix, user_id as "userId", refill_interval as "refillInterval",
    refill_amount as "refillAmount", last_refill_at as "lastRefillAt", enabled,
    rate_limit_enabled as "rateLimitEnabled", rate_limit_time_window as "rateLimitTimeWindow",
    rate_limit_max as "rateLimitMax", request_count as "requestCount", remaining, last_request as "lastRequest",
    expires_at as "expiresAt", created_at as "createdAt", updated_at as "updatedAt", permissions, metadata`,
};

const connections = 10; // our default

/** Starts a bare service: one statement that counts the use of a key and returns it as JSON. */
export const startVerifyFloor = async (databaseUrl: string) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  const app = Fastify();
  app.post<{ Body: { key: string } }>("/internal/api-key/verify", async ({ body }, reply) => {
    const values = [hash("sha256", body.key, "base64url")];
    const { rows } = await pool.query({ ...statement, values });
    const [key] = rows;
    if (!key) return reply.code(404).send();
    return reply.send({ valid: true, error: null, key });
  });
  return {
    url: await app.listen({ host: "127.0.0.1", port: 0 }),
    stop: async () => {
      await app.close();
      await pool.end();
    },
  };
};
