import type { LatchkeyConfig } from "@latchkey/contracts";
import { expect } from "vitest";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import { matrix } from "../matrix.ts";
import type { Stack } from "../stack.ts";
import { password, type Rows, seen, type SignedUp, signUp } from "./identity-people.ts";

const serviceName = "backoffice";
const serviceToken = "a token of a service, for tests";

export const adminConfig = {
  logger: { disabled: true },
  serviceTokens: { [serviceName]: serviceToken },
} satisfies LatchkeyConfig;

/** The possible stores of sessions, and the options that select them. */
export const everywhere = [
  { where: "postgres", stores: "postgres", session: {} },
  { where: "redis", stores: "redis", session: {} },
  { where: "both", stores: "redis", session: { storeSessionInDatabase: true } },
] as const;

/** The same for a test that does not depend on the stores. */
export const anywhere = matrix<(typeof everywhere)[number]>(...everywhere);

/** A user as admins see one. */
export interface ShownUser {
  id: string;
  email: string;
  emailVerified: boolean;
  image: string | null;
  updatedAt: string;
  role: string | null;
  banned: boolean;
  banReason: string | null;
  banExpires: string | null;
}

export interface ShownSession {
  id: string;
  token: string;
  userId: string;
  expiresAt: string;
  createdAt: string;
  impersonatedBy: string | null;
}

/** Calls identity directly, as another service does. */
export const askInside = async <Body = unknown>(
  { running }: Stack,
  path: string,
  body: unknown,
  authorization = `Bearer ${serviceToken}`,
) =>
  seen<Body>(
    await fetch(`${running.services["identity"]?.url}/internal/admin${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization },
      body: JSON.stringify(body),
    }),
  );

export const setRole = async (stack: Stack, userId: string, role: string): Promise<void> => {
  expect((await askInside(stack, "/set-role", { userId, role })).status).toBe(200);
};

/** Signs up a user with a role. */
export const signUpAs = async (stack: Stack, role: string): Promise<SignedUp> => {
  const person = await signUp(stack);
  await setRole(stack, person.user.id, role);
  return person;
};

/** Returns the answer to an admin operation that is called by a user. */
export const askAs = async <Body = unknown>(
  { browser }: { browser: BrowserLike },
  path: string,
  body: unknown,
) => seen<Body>(await browser.post(`/admin${path}`, body));

/** Returns the answer to a sign-in, with the browser and the token if it succeeds. */
export const trySignIn = async (stack: Stack, email: string, own: object = {}) => {
  const browser = createBrowserLike(stack.url);
  const response = await browser.post("/sign-in/email", { email, password, ...own });
  return {
    browser,
    ...(await seen<{ token?: string; code?: string; message?: string }>(response)),
  };
};

/** Returns the user and session of a browser. */
export const whoIs = async (browser: BrowserLike) => {
  const { body } = await seen<{ user: ShownUser; session: ShownSession } | null>(
    await browser.get("/get-session?disableRefresh=true"),
  );
  return body;
};

/** Whether a token opens a session, independent of any browser. */
export const opens = async (stack: Stack, token: string): Promise<boolean> => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${stack.url}/get-session`, { headers });
  return (await answer.json()) !== null;
};

/** Returns the audited actors of an action on a subject, in order. */
export const auditOf = (rows: Rows, action: string, subjectId: string) =>
  rows.ask(
    `select actor_kind, actor_id from identity.audit
     where action = $1 and subject_id = $2 order by id`,
    action,
    subjectId,
  );

export const byService = { actor_kind: "service", actor_id: serviceName };
export const byUser = ({ user }: SignedUp) => ({ actor_kind: "user", actor_id: user.id });

export const callers = 16;

/** Makes 16 concurrent calls. `ask` gets the index of its call. */
export const race = <T>(ask: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: callers }, (_, index) => ask(index)));
