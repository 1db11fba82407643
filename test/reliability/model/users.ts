import { sessionDataCookie } from "../../harness/cached-sessions.ts";
import { cookieHeader } from "../../harness/cookies.ts";
import { setRole, signUp } from "../../harness/users.ts";
import { sendRequest } from "./send-request.ts";
import type { ModelSystem } from "./system.ts";

/** The first password of every user. */
export const firstPassword = "correct horse battery 0";

export interface Somebody {
  id: string;
  email: string;
  token: string;
  cookies: ReadonlyMap<string, string>;
  /** The session cookie without the cached session. */
  cookie: string;
}

/** Returns a browser's Cookie header, with or without the cached session. */
export const cookieHeaderOf = (cookies: ReadonlyMap<string, string>, withCopy: boolean): string =>
  cookieHeader(new Map([...cookies].filter(([name]) => withCopy || name !== sessionDataCookie)));

let count = 0;

/** Signs up a user, at the gateways in turn. */
export const signUpAt = async ({ gateways }: ModelSystem): Promise<Somebody> => {
  const url = gateways[(count += 1) % gateways.length] ?? "";
  const { email, token, user, browser } = await signUp({ url }, { password: firstPassword });
  const { cookies } = browser;
  return { id: user.id, email, token, cookies, cookie: cookieHeaderOf(cookies, false) };
};

/** Signs up a user and makes them an admin. */
export const signUpAdmin = async (system: ModelSystem): Promise<Somebody> => {
  const admin = await signUpAt(system);
  await setRole(system, admin.id, "admin");
  return admin;
};

/** Extends a user's session. */
export const staySignedIn = async (
  { gateways }: ModelSystem,
  { cookie }: Pick<Somebody, "cookie">,
): Promise<void> => {
  const { said, body } = await sendRequest(`${gateways[0]}/get-session`, { cookie });
  if (said !== "200" || body === null) throw new Error(`staying signed in: ${said}`);
};
