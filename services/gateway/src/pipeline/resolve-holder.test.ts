import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Caller, callerHeader } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { createServiceClient, type ServiceClient } from "@latchkey/service-kit";
import type { FastifyRequest } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resolveHolder } from "./resolve-holder.ts";

const ring = createSecretRing(["a secret of this test"]);
const holder = {
  session: { id: "s", userId: "u" },
  user: { id: "u", name: "Ada", role: "user", nickname: "A." },
};

let behind: Server;
let identity: ServiceClient;
let asked: { body: unknown; caller: Caller }[];
let answer: unknown;
beforeEach(async () => {
  asked = [];
  answer = null;
  behind = createServer((request, response) => {
    text(request).then(
      (body) => {
        const [claim = ""] = String(request.headers[callerHeader]).split(".");
        const caller = JSON.parse(Buffer.from(claim, "base64url").toString()) as Caller;
        asked.push({ body: JSON.parse(body), caller });
        response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      },
      () => {},
    );
  });
  await once(behind.listen(0, "127.0.0.1"), "listening");
  const to = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
  identity = createServiceClient({ to: [to], from: "gateway", ring, clock: Date.now });
});
afterEach(async () => {
  await identity.close();
  behind.close();
});

const resolve = (held: { token?: string; json?: string }) => {
  const request = { id: "the request" } as FastifyRequest;
  return resolveHolder({ identity }, { request, token: held.token, json: held.json });
};

test("requests the owner of a token from identity, by name and for this request", async () => {
  answer = holder;
  expect(await resolve({ token: "token" })).toEqual(holder);
  const caller = expect.objectContaining({ service: "gateway", requestId: "the request" });
  expect(asked).toEqual([{ body: { token: "token" }, caller }]);
});

test("an invalid token has no owner", async () => {
  expect(await resolve({ token: "token" })).toBeUndefined();
});

test("needs no call to identity for a valid cookie cache or without a token", async () => {
  expect(await resolve({ token: "token", json: JSON.stringify(holder) })).toEqual(holder);
  expect(await resolve({})).toBeUndefined();
  expect(asked).toEqual([]);
});

test.each(["identity", "a cache"])(
  "a session by %s that is too large for a header is sent without the additional fields",
  async (from) => {
    // Fewer letters than bytes.
    const much = "\u20ac".repeat(22_000);
    const large = {
      session: { ...holder.session, device: much },
      user: { ...holder.user, nickname: much },
    };
    answer = large;
    const json = from === "a cache" ? { json: JSON.stringify(large) } : {};
    expect(await resolve({ token: "token", ...json })).toEqual({
      session: holder.session,
      user: { id: "u", name: "Ada", role: "user" },
    });
  },
);

test("an outage of identity is an error, not a missing session", async () => {
  behind.close();
  behind.closeAllConnections();
  await expect(resolve({ token: "token" })).rejects.toThrow();
});
