import { randomUUID } from "node:crypto";
import { createSecretRing, encodeSessionData, signValue } from "@latchkey/crypto";
import { cachedSession, hourMilliseconds } from "./cached-session.ts";
import { seededCount, emailOf, tokenOf } from "./seed.ts";
import { benchSecret } from "./stack-settings.ts";

const head = (line: string, headers: Readonly<Record<string, string>>) =>
  [line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""].join(
    "\r\n",
  );

const common = { host: "localhost", "user-agent": "bench", accept: "application/json" };

const oneOf = (requests: readonly Buffer[]) => () =>
  // The list is never empty.
  requests[Math.floor(Math.random() * requests.length)] as Buffer;

const lineOf = (path: string) => `GET /api/auth${path} HTTP/1.1`;

const post = (
  path: string,
  value: object,
  own: Readonly<Record<string, string>> = common,
): Buffer => {
  const body = JSON.stringify(value);
  const headers = {
    ...own,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  };
  return Buffer.from(head(`POST /api/auth${path} HTTP/1.1`, headers) + body);
};

const ring = createSecretRing([benchSecret]);

const cookies = new Map<number, string>();

/** Returns the session cookie of the seeded user number `index`. */
const cookieOf = (index: number): string => {
  const cookie = cookies.get(index) ?? `auth.session_token=${signValue(ring, tokenOf(index))}`;
  cookies.set(index, cookie);
  return cookie;
};

/** A request in a session: a GET, or a POST with a body. */
export interface SessionRequest {
  path: string;
  body?: object;
}

/** Returns a request with the session cookie of the seeded user number `index`. */
export const sessionRequest = (index: number, { path, body }: SessionRequest): Buffer => {
  const headers = { ...common, cookie: cookieOf(index) };
  return body === undefined
    ? Buffer.from(head(lineOf(path), headers))
    : post(path, body, { ...headers, origin: `http://${common.host}` });
};

/**
 * Returns a request of a ceremony. It carries a value that names its browser, as after the first ceremony, and the session cookie of the
 * seeded user number `index` if that is given.
 */
export const ceremonyRequest = (
  browser: string,
  { path, body }: SessionRequest,
  index?: number,
): Buffer => {
  const session = index === undefined ? "" : `${cookieOf(index)}; `;
  const cookie = `${session}auth.passkey_challenge=${signValue(ring, `passkeyChallenge:${browser}`)}`;
  const headers = { ...common, cookie };
  return body === undefined
    ? Buffer.from(head(lineOf(path), headers))
    : post(path, body, { ...headers, origin: `http://${common.host}` });
};

/** Returns a request in a sign-in that waits for its second factor, which its browser keeps by a value. */
export const waitingRequest = (value: string, { path, body = {} }: SessionRequest): Buffer => {
  const cookie = `auth.two_factor=${signValue(ring, `twoFactor:${value}`)}`;
  return post(path, body, { ...common, cookie, origin: `http://${common.host}` });
};

/** Numbers of seeded users, both included. */
export interface UserRange {
  from: number;
  to: number;
}

/** Generates requests, each of another user of the range. */
export const sessionRequests = (
  request: SessionRequest,
  { from, to }: UserRange = { from: 1, to: seededCount },
): (() => Buffer) =>
  oneOf(Array.from({ length: to - from + 1 }, (_, index) => sessionRequest(from + index, request)));

/** Generates get-session requests, each with the cookie of another seeded session. */
export const getSessionRequests = (): (() => Buffer) => sessionRequests({ path: "/get-session" });

/** Generates get-session requests, each with the bearer token of another seeded session. */
export const bearerGetSessionRequests = (): (() => Buffer) =>
  oneOf(
    Array.from({ length: seededCount }, (_, index) => {
      const authorization = `Bearer ${signValue(ring, tokenOf(index + 1))}`;
      return Buffer.from(head(lineOf("/get-session"), { ...common, authorization }));
    }),
  );

/** Generates token requests, each with the cookie of another seeded session. */
export const getTokenRequests = (): (() => Buffer) => sessionRequests({ path: "/token" });

/** Generates requests for the public keys. */
export const getJwksRequests = (): (() => Buffer) => oneOf([plainRequest("/api/auth/jwks")]);

/** Generates get-session requests that are answered from the session cookie cache. The sessions themselves are in no store. */
export const cachedGetSessionRequests = (): (() => Buffer) => {
  const now = new Date();
  const expiresAt = now.getTime() + hourMilliseconds;
  return oneOf(
    Array.from({ length: seededCount }, (_, index) => {
      const copy = encodeSessionData(ring, { session: cachedSession(index + 1, now), expiresAt });
      const cookie = `${cookieOf(index + 1)}; auth.session_data=${copy}`;
      return Buffer.from(head("GET /api/auth/get-session HTTP/1.1", { ...common, cookie }));
    }),
  );
};

/** Returns a request without a session. */
export const plainRequest = (path: string): Buffer =>
  Buffer.from(head(`GET ${path} HTTP/1.1`, common));

export const benchPassword = "correct horse";

/** Generates sign-ins of seeded users with the right password. */
export const signInRequests = (): (() => Buffer) =>
  oneOf(
    Array.from({ length: seededCount }, (_, index) =>
      post("/sign-in/email", { email: emailOf(index + 1), password: benchPassword }),
    ),
  );

/** Generates sign-ups of new users. */
export const signUpRequests = (): (() => Buffer) => () => {
  const email = `${randomUUID()}@example.com`;
  return post("/sign-up/email", { name: "Somebody New", email, password: benchPassword });
};
