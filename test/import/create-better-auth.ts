import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import * as plugins from "better-auth/plugins";
import { betterAuth as betterAuth12 } from "better-auth-1-2";
import { getMigrations as getMigrations12 } from "better-auth-1-2/db";
import * as plugins12 from "better-auth-1-2/plugins";
import type pg from "pg";

export type Version = "1.2" | "current";

/** Also the secret of every system under test. */
export const sourceSecret = "a secret for tests, and for nothing else";
export const baseURL = "http://localhost:3000";

/** The common part of both versions, whose types differ. */
export interface App {
  handler(request: Request): Promise<Response>;
  api: Record<string, (input: { body: object }) => Promise<never>>;
}

const enabled = { enabled: true } as const;

const optionsWith = (pool: pg.Pool, made: unknown[]) => ({
  database: pool,
  baseURL,
  secret: sourceSecret,
  emailAndPassword: enabled,
  session: { updateAge: 0 },
  account: { encryptOAuthTokens: true },
  advanced: { disableCSRFCheck: true },
  logger: { disabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  plugins: made as never[],
});

const create12 = async (pool: pg.Pool): Promise<App> => {
  const { username, admin, organization, jwt, bearer } = plugins12;
  const made = [
    username(),
    admin(),
    organization({ teams: enabled }),
    jwt(),
    bearer(),
    plugins12.apiKey({ enableMetadata: true }),
  ];
  const options = optionsWith(pool, made);
  await (await getMigrations12(options as never)).runMigrations();
  return betterAuth12(options as never) as unknown as App;
};

const createCurrent = async (pool: pg.Pool): Promise<App> => {
  const { username, admin, organization, jwt, bearer, twoFactor } = plugins;
  const made = [
    username(),
    admin(),
    organization({ teams: enabled }),
    jwt(),
    bearer(),
    twoFactor(),
    apiKey({ enableMetadata: true }),
  ];
  const options = optionsWith(pool, made);
  await (await getMigrations(options)).runMigrations();
  return betterAuth(options as never) as unknown as App;
};

/** Creates a better-auth application with everything that can be imported. Its own migrations create the tables. */
export const createBetterAuth = (version: Version, pool: pg.Pool): Promise<App> =>
  version === "1.2" ? create12(pool) : createCurrent(pool);
