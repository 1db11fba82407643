import { createLogger, createPostgresPool } from "@latchkey/service-kit";
import { expect } from "vitest";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import type { Stack } from "../stack.ts";

/** The password of every user that signs up here. */
export const password = "correct horse battery";

/** The parts of an answer that a client sees. */
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

/** An error as a client sees it: no cookie, only code and message. */
export const refusal = (status: number, code: string, message: string) => ({
  status,
  body: { code, message },
  cookies: [],
});

/** Opens a stack's database, to age rows or to count hidden ones. */
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

/** Returns an unused address. */
export const newEmail = () => `ada${(count += 1)}@example.com`;

export interface SignedUp {
  email: string;
  browser: BrowserLike;
  token: string;
  user: { id: string };
}

/** Signs up a user with a new browser. */
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

/** Makes an admin impersonate a user in all of the user's sessions, by changing the rows. Returns the admin's id. */
export const takeOver = async (stack: Stack, rows: Rows, userId: string): Promise<string> => {
  const { id } = (await signUp(stack)).user;
  await rows.ask("update identity.user set role = 'admin' where id = $1", id);
  await rows.ask("update identity.session set impersonated_by = $1 where user_id = $2", id, userId);
  return id;
};
