import pg from "pg";
import { type App, baseURL, createBetterAuth, type Version } from "./create-better-auth.ts";
import { createEmptyDatabase } from "../harness/stores.ts";

/** An application of better-auth with its own database. */
export interface BetterAuthApp {
  url: string;
  pool: pg.Pool;
  api: App["api"];
  /** Calls an operation, optionally with a cookie. Throws if it is refused. */
  call(path: string, body?: object, cookie?: string): Promise<{ reply: any; cookie: string }>;
  signUp(name: string): Promise<{ id: string; email: string; cookie: string }>;
  stop(): Promise<void>;
}

export const sourcePassword = "correct horse battery";

/** Returns the name and value of each cookie that a response sets. */
const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

export const startBetterAuth = async (version: Version): Promise<BetterAuthApp> => {
  const database = await createEmptyDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on("error", () => {});
  const app = await createBetterAuth(version, pool);
  const call = async (path: string, body?: object, cookie = "") => {
    const response = await app.handler(
      new Request(`${baseURL}/api/auth${path}`, {
        method: body ? "POST" : "GET",
        headers: { "content-type": "application/json", origin: baseURL, cookie },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
    if (!response.ok) throw new Error(`${path} ${response.status} ${await response.text()}`);
    return { reply: (await response.json()) as any, cookie: cookieOf(response) };
  };
  return {
    url: database.url,
    pool,
    api: app.api,
    call,
    signUp: async (name) => {
      const email = `${name}@example.com`;
      const sent = { name, email, password: sourcePassword, username: `${name}_x` };
      const { reply, cookie } = await call("/sign-up/email", sent);
      return { id: reply.user.id as string, email, cookie };
    },
    stop: async () => {
      await pool.end();
      await database.drop();
    },
  };
};
