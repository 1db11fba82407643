import { createLogger, createPostgresPool } from "@latchkey/service-kit";
import { expect } from "vitest";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import type { Stack } from "../stack.ts";

/** The password of everybody who signs up here. */
export const password = "correct horse battery";

/** What a client sees of an answer. */
export interface Seen<Body> {
  status: number;
  body: Body;
  cookies: string[];
}

export const seen = async <Body = unknown>(response: Response): Promise<Seen<Body>> => {
  const text = await response.text();
  return {
    status: response.status,
    body: (text === "" ? undefined : JSON.parse(text)) as Body,
    cookies: response.headers.getSetCookie(),
  };
};

/** An error as a client sees it: no cookie, no more than code and message. */
export const refusal = (status: number, code: string, message: string) => ({
  status,
  body: { code, message },
  cookies: [],
});

/** Looks into a stack's rows, to age them or to count what is not shown. */
export const openRows = (stack: Pick<Stack, "databaseUrl">) => {
  const logger = createLogger({ service: "test", level: "silent" });
  const pool = createPostgresPool({
    url: stack.databaseUrl,
    max: 1,
    logger,
    applicationName: "test",
  });
  return {
    ask: async (text: string, ...values: unknown[]) =>
      (await pool.query<Record<string, unknown>>(text, values)).rows,
    close: () => pool.end(),
  };
};
export type Rows = ReturnType<typeof openRows>;

let count = 0;

/** An address that nobody has yet. */
export const newEmail = () => `ada${(count += 1)}@example.com`;

export interface SignedUp {
  email: string;
  browser: BrowserLike;
  token: string;
  user: { id: string };
}

/** Somebody new, signed in with a browser of their own. */
export const signUp = async (stack: Stack): Promise<SignedUp> => {
  const email = newEmail();
  const browser = createBrowserLike(stack.url);
  const response = await browser.post("/sign-up/email", { name: "Ada", email, password });
  expect(response.status).toBe(200);
  return {
    email,
    browser,
    ...((await response.json()) as { token: string; user: { id: string } }),
  };
};

/** Has an admin, whose id it gives, act in every session of a user; sessions are rows. */
export const takeOver = async (stack: Stack, rows: Rows, userId: string): Promise<string> => {
  const { id } = (await signUp(stack)).user;
  await rows.ask("update identity.user set role = 'admin' where id = $1", id);
  await rows.ask("update identity.session set impersonated_by = $1 where user_id = $2", id, userId);
  return id;
};
