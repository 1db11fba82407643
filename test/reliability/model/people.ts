import { serviceConfig } from "../../harness/operations.ts";
import { ask } from "./ask.ts";
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

/** Credentials of a service of the application. */
export const ofService = { authorization: `Bearer ${serviceConfig.serviceTokens.backoffice}` };

/** Returns the cookies that an answer sets, by name, without those that it clears. */
export const givenCookies = (headers: Headers): Map<string, string> =>
  new Map(
    headers
      .getSetCookie()
      .map((line) => (line.split(";")[0] ?? "").split(/=(.*)/s))
      .flatMap(([name = "", value = ""]) => (value === "" ? [] : [[name, value] as const])),
  );

/** Returns a browser's Cookie header, with or without the cached session. */
export const cookieHeader = (cookies: ReadonlyMap<string, string>, withCopy: boolean): string =>
  [...cookies]
    .filter(([name]) => withCopy || name !== "auth.session_data")
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");

let count = 0;

/** Signs up a user. */
export const signUp = async ({ gateways }: ModelSystem): Promise<Somebody> => {
  const email = `model${(count += 1)}@example.com`;
  const { said, body, headers } = await ask<{ token: string; user: { id: string } }>(
    `${gateways[count % gateways.length]}/sign-up/email`,
    {},
    { name: "Ada", email, password: firstPassword },
  );
  if (said !== "200") throw new Error(`signing up: ${said}`);
  const cookies = givenCookies(headers);
  const { token, user } = body;
  return { id: user.id, email, token, cookies, cookie: cookieHeader(cookies, false) };
};

/** Signs up a user and makes them an admin. */
export const signUpAdmin = async (system: ModelSystem): Promise<Somebody> => {
  const admin = await signUp(system);
  const { said } = await ask(`${system.inside.identity[0]}/internal/admin/set-role`, ofService, {
    userId: admin.id,
    role: "admin",
  });
  if (said !== "200") throw new Error(`making an admin: ${said}`);
  return admin;
};

/** Extends a user's session. */
export const staySignedIn = async (
  { gateways }: ModelSystem,
  { cookie }: Pick<Somebody, "cookie">,
): Promise<void> => {
  const { said, body } = await ask(`${gateways[0]}/get-session`, { cookie });
  if (said !== "200" || body === null) throw new Error(`staying signed in: ${said}`);
};
