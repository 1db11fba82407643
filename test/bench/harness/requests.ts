import { createSecretRing, signValue } from "@latchkey/crypto";
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

/** A get-session with the cookie of a seeded session, another one each time. */
export const getSessionRequests = (): (() => Buffer) => {
  const ring = createSecretRing([benchSecret]);
  return oneOf(
    Array.from({ length: seededCount }, (_, index) => {
      const cookie = `auth.session_token=${signValue(ring, tokenOf(index + 1))}`;
      return Buffer.from(head("GET /api/auth/get-session HTTP/1.1", { ...common, cookie }));
    }),
  );
};

export const benchPassword = "correct horse";

/** A sign-in of a seeded user with the right password, another one each time. */
export const signInRequests = (): (() => Buffer) =>
  oneOf(
    Array.from({ length: seededCount }, (_, index) => {
      const body = JSON.stringify({ email: emailOf(index + 1), password: benchPassword });
      const headers = {
        ...common,
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
      };
      return Buffer.from(head("POST /api/auth/sign-in/email HTTP/1.1", headers) + body);
    }),
  );
