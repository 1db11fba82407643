import { adminConfig } from "../contract/admin-people.ts";
import { ask } from "./ask.ts";
import type { House } from "./house.ts";

/** The first password of everybody. */
export const firstPassword = "correct horse battery 0";

export interface Somebody {
  id: string;
  email: string;
  token: string;
  cookies: ReadonlyMap<string, string>;
  /** What shows who they are, without a copy. */
  cookie: string;
}

/** What a service of the house says who it is by. */
export const ofService = { authorization: `Bearer ${adminConfig.serviceTokens.backoffice}` };

/** The cookies that an answer gives, by name; none that it takes away. */
export const givenCookies = (headers: Headers): Map<string, string> =>
  new Map(
    headers
      .getSetCookie()
      .map((line) => (line.split(";")[0] ?? "").split(/=(.*)/s))
      .flatMap(([name = "", value = ""]) => (value === "" ? [] : [[name, value] as const])),
  );

/** What a browser sends that holds these cookies, with the copy of its session or without it. */
export const cookieHeader = (cookies: ReadonlyMap<string, string>, withCopy: boolean): string =>
  [...cookies]
    .filter(([name]) => withCopy || name !== "auth.session_data")
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");

let count = 0;

/** Somebody new, signed in. */
export const signUp = async ({ gateways }: House): Promise<Somebody> => {
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

/** Somebody new who may do everything to others. */
export const signUpAdmin = async (house: House): Promise<Somebody> => {
  const admin = await signUp(house);
  const { said } = await ask(`${house.inside.identity[0]}/internal/admin/set-role`, ofService, {
    userId: admin.id,
    role: "admin",
  });
  if (said !== "200") throw new Error(`making an admin: ${said}`);
  return admin;
};

/** Has somebody's session last anew. */
export const staySignedIn = async (
  { gateways }: House,
  { cookie }: Pick<Somebody, "cookie">,
): Promise<void> => {
  const { said, body } = await ask(`${gateways[0]}/get-session`, { cookie });
  if (said !== "200" || body === null) throw new Error(`staying signed in: ${said}`);
};
