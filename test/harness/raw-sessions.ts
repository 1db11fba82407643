import { createHmac } from "node:crypto";
import { expect } from "vitest";
import type { System } from "./start-system.ts";
import { testSecret } from "./stores.ts";
import { password } from "./users.ts";
import { jsonRequest, sendRaw } from "./send-raw.ts";

export const ada = "ada@example.com";
export const bob = "bob@example.com";

/** A session's token, raw and as in a cookie. */
export interface RawSession {
  token: string;
  signed: string;
}

/** Signs a value as on the wire, percent-encoded. */
export const signCookie = (value: string, secret = testSecret): string =>
  encodeURIComponent(`${value}.${createHmac("sha256", secret).update(value).digest("base64")}`);

export const signInRaw = (
  origin: string,
  email: string,
  body: object = {},
  headers: object = {},
) => {
  const request = jsonRequest({ email, password, ...body });
  return sendRaw(origin, {
    ...request,
    target: "/api/auth/sign-in/email",
    headers: { ...request.headers, ...headers },
  });
};

const signUpRaw = async (origin: string, email: string): Promise<RawSession> => {
  const request = jsonRequest({ name: email, email, password });
  const answer = await sendRaw(origin, { ...request, target: "/api/auth/sign-up/email" });
  const { token } = JSON.parse(answer.text) as { token: string };
  return { token, signed: signCookie(token) };
};

/** Signs up two users. */
export const signUpTwo = async ({ origin }: System): Promise<[RawSession, RawSession]> => [
  await signUpRaw(origin, ada),
  await signUpRaw(origin, bob),
];

/** Returns the user that get-session shows, and the cookies that it sets. */
export const getSessionRaw = async (
  origin: string,
  headers: Record<string, string>,
  query = "",
) => {
  const answer = await sendRaw(origin, { target: `/api/auth/get-session${query}`, headers });
  expect(answer.status).toBe(200);
  const body = JSON.parse(answer.text) as { user: { email: string } } | null;
  return { who: body?.user.email ?? null, cookies: answer.cookies, headers: answer.headers };
};
