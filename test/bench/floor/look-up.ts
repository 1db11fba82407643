import { Redis } from "ioredis";
import pg from "pg";

/** Finds the session of a token by the token's hash. Returns JSON text if the store holds JSON. */
export interface LookUp {
  find(tokenHash: Buffer): Promise<unknown>;
  close(): Promise<void>;
}

const statement = {
  name: "floor",
  text: `select s.id as "sessionId", s.user_id as "userId", s.expires_at as "expiresAt",
    s.created_at as "sessionCreatedAt", s.updated_at as "sessionUpdatedAt", s.ip_address as "ipAddress",
    s.user_agent as "userAgent", u.id, u.name, u.email, u.email_verified as "emailVerified", u.image,
    u.created_at as "createdAt", u.updated_at as "updatedAt"
  from identity.session s join identity."user" u on u.id = s.user_id
  where s.token_hash = $1 and s.revoked_at is null`,
};

const connections = 10; // our default

export const createPostgresLookUp = (url: string): LookUp => {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  return {
    find: async (tokenHash) => {
      const { rows } = await pool.query({ ...statement, values: [tokenHash] });
      return rows[0];
    },
    close: () => pool.end(),
  };
};

export const createRedisLookUp = (url: string, keyPrefix: string): LookUp => {
  const redis = new Redis(url, { enableAutoPipelining: true });
  return {
    find: (tokenHash) => redis.get(`${keyPrefix}:floor:${tokenHash.toString("hex")}`),
    close: async () => redis.disconnect(),
  };
};
