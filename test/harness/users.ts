import { expect } from "vitest";
import { type BrowserLike, createBrowserLike } from "./browser-like.ts";
import { type Client, postInternal, serviceHeaders } from "./operations.ts";
import { type ClientResponse, readResponse } from "./responses.ts";
import type { Rows } from "./rows.ts";
import type { System } from "./start-system.ts";

/** The password of every user that signs up here. */
export const password = "correct horse battery";

let count = 0;

/** Returns an unused address. */
export const newEmail = () => `ada${(count += 1)}@example.com`;

/** A user with a session in a browser. */
export interface TestUser extends Client {
  email: string;
  token: string;
  user: { id: string };
}

/** Returns a client without a session. */
export const newClient = (system: Pick<System, "url">): Client => ({
  browser: createBrowserLike(system.url),
});

/** Signs up a user with a new browser. `own` replaces or adds members of the request. */
export const signUp = async (
  system: Pick<System, "url">,
  own: { name?: string; email?: string; password?: string } = {},
): Promise<TestUser> => {
  const { email = newEmail() } = own;
  const browser = createBrowserLike(system.url);
  const response = await browser.post("/sign-up/email", { name: "Ada", password, ...own, email });
  expect(response.status).toBe(200);
  return {
    email,
    browser,
    ...((await response.json()) as { token: string; user: { id: string } }),
  };
};

/** Returns the response to a sign-in with a new browser, with the token if it succeeds. */
export const trySignIn = async (system: Pick<System, "url">, email: string, own: object = {}) => {
  const browser = createBrowserLike(system.url);
  const response = await browser.post("/sign-in/email", { email, password, ...own });
  return {
    browser,
    ...(await readResponse<{ token?: string; code?: string; message?: string }>(response)),
  };
};

/** Signs a user in with another browser. */
export const signInElsewhere = async (
  system: Pick<System, "url">,
  { email }: Pick<TestUser, "email">,
  own: object = {},
): Promise<Pick<TestUser, "browser" | "token">> => {
  const { browser, status, body } = await trySignIn(system, email, own);
  expect(status).toBe(200);
  return { browser, token: body.token ?? "" };
};

/** Calls an admin operation of identity directly, as a service of the application does. */
export const callAdminInternal = <Body = unknown>(
  system: Pick<System, "urlOf">,
  path: string,
  body: unknown,
  authorization = serviceHeaders.authorization,
): Promise<ClientResponse<Body>> =>
  postInternal<Body>(`${system.urlOf("identity")}/internal/admin${path}`, body, { authorization });

export const setRole = async (
  system: Pick<System, "urlOf">,
  userId: string,
  role: string,
): Promise<void> => {
  expect((await callAdminInternal(system, "/set-role", { userId, role })).status).toBe(200);
};

/** Signs up a user with a role. */
export const signUpAs = async (
  system: Pick<System, "url" | "urlOf">,
  role: string,
): Promise<TestUser> => {
  const user = await signUp(system);
  await setRole(system, user.user.id, role);
  return user;
};

/** Returns the response to an admin operation that is called by a user. */
export const callAdmin = async <Body = unknown>({ browser }: Client, path: string, body: unknown) =>
  readResponse<Body>(await browser.post(`/admin${path}`, body));

/** A user in responses to admins. */
export interface UserView {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  image: string | null;
  updatedAt: string;
  role: string | null;
  banned: boolean;
  banReason: string | null;
  banExpires: string | null;
}

export interface SessionView {
  id: string;
  token: string;
  userId: string;
  expiresAt: string;
  createdAt: string;
  impersonatedBy: string | null;
}

/** Returns the user and session of a browser, or null. Does not refresh the session. */
export const readSession = async (browser: BrowserLike) => {
  const { body } = await readResponse<{
    user: UserView & Record<string, unknown>;
    session: SessionView;
  } | null>(await browser.get("/get-session?disableRefresh=true"));
  return body;
};

/** Whether a token opens a session, independent of any browser. */
export const isSessionToken = async (
  system: Pick<System, "url">,
  token: string,
): Promise<boolean> => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${system.url}/get-session`, { headers });
  return (await response.json()) !== null;
};

/** Makes an admin impersonate a user in all of the user's sessions, by changing the rows. Returns the admin's id. */
export const impersonateInRows = async (
  system: Pick<System, "url">,
  rows: Rows,
  userId: string,
): Promise<string> => {
  const { id } = (await signUp(system)).user;
  await rows.query("update identity.user set role = 'admin' where id = $1", id);
  await rows.query(
    "update identity.session set impersonated_by = $1 where user_id = $2",
    id,
    userId,
  );
  return id;
};
