import type { Chance } from "./chance.ts";
import type { Sent } from "../wire/exchange.ts";
import { toBytes } from "./http-text.ts";
import type { Attack } from "./wave.ts";

const host = ["host", "localhost"] as const;
const json = ["content-type", "application/json"] as const;

/** Requests that can be identified by their status codes. Some take longer to answer than others. */
const identifiable: readonly (readonly [bytes: Buffer, status: number])[] = [
  [toBytes({ line: "GET /api/auth/ok HTTP/1.1", headers: [host] }), 200],
  [toBytes({ line: "GET /nowhere HTTP/1.1", headers: [host] }), 404],
  [
    toBytes({ line: "POST /api/auth/sign-in/email HTTP/1.1", headers: [host, json], body: "{" }),
    400,
  ],
  [
    toBytes({
      line: "POST /api/auth/sign-in/email HTTP/1.1",
      headers: [host, json],
      body: '{"email":"nobody@example.com","password":"not the password"}',
    }),
    401,
  ],
  [toBytes({ line: "GET /api/auth/list-sessions HTTP/1.1", headers: [host] }), 401],
  [toBytes({ line: "GET /api/reference HTTP/1.1", headers: [host] }), 200],
];

const garbage: readonly Buffer[] = [
  Buffer.from("NONSENSE\r\n\r\n"),
  Buffer.from(
    "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  ),
  Buffer.from(
    "POST /api/auth/sign-out HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
  ),
];

/** Many requests in two writes, whose answers must come in order. An unreadable request may follow, which ends the connection. */
export const pipelined = (to: string, chance: Chance, timing: Pick<Sent, "boundMs">): Attack => {
  const requests = Array.from({ length: 2 + chance.below(12) }, () => chance.pick(identifiable));
  const last = chance.oneIn(3) ? chance.pick(garbage) : Buffer.alloc(0);
  const bytes = Buffer.concat([...requests.map(([sent]) => sent), last]);
  const cut = chance.below(bytes.length);
  const expected = [...requests.map(([, status]) => status), ...(last.length > 0 ? [400] : [])];
  const until = { answers: expected.length, quietMs: timing.boundMs };
  return {
    sent: { to, pieces: [bytes.subarray(0, cut), bytes.subarray(cut)], until, ...timing },
    check: ({ answers }) => {
      const statuses = answers.map(({ status }) => status);
      return statuses.join() === expected.join()
        ? undefined
        : `answered with ${statuses.join()} in the place of ${expected.join()}`;
    },
  };
};
