import { createHmac } from "node:crypto";
import { expect } from "vitest";
import { type Stack, testSecret } from "../stack.ts";
import { json, sendRaw } from "./send-raw.ts";

const password = "correct horse battery";

export const ada = "ada@example.com";
export const bob = "bob@example.com";

/** A session's token, raw and as in a cookie. */
export interface Holder {
  token: string;
  signed: string;
}

/** Signs a value as on the wire, percent-encoded. */
export const signed = (value: string, secret = testSecret): string =>
  encodeURIComponent(`${value}.${createHmac("sha256", secret).update(value).digest("base64")}`);

export const signIn = (origin: string, email: string, body: object = {}, headers: object = {}) => {
  const request = json({ email, password, ...body });
  return sendRaw(origin, {
    ...request,
    target: "/api/auth/sign-in/email",
    headers: { ...request.headers, ...headers },
  });
};

const register = async (origin: string, email: string): Promise<Holder> => {
  const request = json({ name: email, email, password });
  const answer = await sendRaw(origin, { ...request, target: "/api/auth/sign-up/email" });
  const { token } = JSON.parse(answer.text) as { token: string };
  return { token, signed: signed(token) };
};

/** Signs up two users. */
export const registerTwo = async ({ origin }: Stack): Promise<[Holder, Holder]> => [
  await register(origin, ada),
  await register(origin, bob),
];

/** Returns the user that get-session shows, and the cookies that it sets. */
export const seen = async (origin: string, headers: Record<string, string>, query = "") => {
  const answer = await sendRaw(origin, { target: `/api/auth/get-session${query}`, headers });
  expect(answer.status).toBe(200);
  const body = JSON.parse(answer.text) as { user: { email: string } } | null;
  return { who: body?.user.email ?? null, cookies: answer.cookies, headers: answer.headers };
};
