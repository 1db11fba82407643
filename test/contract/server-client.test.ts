import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  FullUser,
  OrganizationRow,
  Session as ContractSession,
  Wire,
} from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { afterEach, beforeAll, expect, expectTypeOf, test } from "vitest";
import {
  createLatchkey,
  handBackCookies,
  type Latchkey,
  type Session,
  type User,
} from "../../libs/server/src/index.ts";
import type { Organization } from "../../libs/react/src/organization/organization.ts";
import type {
  Session as ReactSession,
  User as ReactUser,
} from "../../libs/react/src/session/session.ts";
import { cookieHeader } from "../harness/cookies.ts";
import { serviceConfig } from "../harness/operations.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";

expectNoLeaks("file");

interface Fields {
  user: { plan?: string | null };
}

let latchkey: Latchkey<Fields>;
const { system } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    // Each use extends a session, so that each response has cookies.
    session: { updateAge: 0 },
    user: { additionalFields: { plan: { type: "string", defaultValue: "free", input: false } } },
  },
});
beforeAll(async () => {
  const url = system.urlOf("apikey");
  const token = serviceConfig.serviceTokens.backoffice;
  latchkey = createLatchkey<Fields>({ url: system.url, apiKeys: { url, token } });
});

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const listen = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test("the types of both libraries match the replies that the contract declares", () => {
  expectTypeOf<Wire<FullUser>>().toEqualTypeOf<User>();
  expectTypeOf<Wire<ContractSession>>().toEqualTypeOf<Session>();
  expectTypeOf<User>().toEqualTypeOf<ReactUser>();
  expectTypeOf<Session>().toEqualTypeOf<ReactSession>();
  expectTypeOf<Wire<OrganizationRow>>().toEqualTypeOf<Organization>();
});

/** The same application with each framework: it shows the user's address, and hands the cookies back. */
const frameworks: Record<string, () => Promise<string>> = {
  Node: () => {
    const answer: RequestListener = (request, response) => {
      void latchkey.getSession(request).then((result) => {
        handBackCookies(response, result);
        response.end(JSON.stringify({ email: result.user?.email ?? null }));
      });
    };
    return listen(createServer(answer));
  },
  Express: () => {
    const app = express();
    app.get("/", (request, response, next) => {
      void latchkey.getSession(request).then((result) => {
        handBackCookies(response, result);
        response.json({ email: result.user?.email ?? null });
      }, next);
    });
    return listen(createServer(app));
  },
  Fastify: async () => {
    const app = fastify();
    app.get("/", async (request, reply) => {
      const result = await latchkey.getSession(request);
      handBackCookies(reply, result);
      return { email: result.user?.email ?? null };
    });
    stops.push(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
};

const withFetch: Record<string, (request: Request) => Promise<Response>> = {
  Hono: (() => {
    const app = new Hono();
    app.get("/", async (context) => {
      const result = await latchkey.getSession(context);
      handBackCookies(context, result);
      return context.json({ email: result.user?.email ?? null });
    });
    return async (request: Request) => app.fetch(request);
  })(),
  // As a route handler of Next.js, Bun, Deno or a worker.
  "a handler of Request": async (request) => {
    const result = await latchkey.getSession(request);
    const response = Response.json({ email: result.user?.email ?? null });
    handBackCookies(response, result);
    return response;
  },
  // As a server component of Next.js, which has only `headers()`.
  "a component with headers": async ({ headers }) => {
    const result = await latchkey.getSession(headers);
    const own = new Headers();
    handBackCookies(own, result);
    return Response.json({ email: result.user?.email ?? null }, { headers: own });
  },
};

test.each([...Object.keys(frameworks), ...Object.keys(withFetch)])(
  "%s identifies the user by the cookie and hands the extended session back",
  async (name) => {
    const url = (await frameworks[name]?.()) ?? "http://localhost/";
    const send = withFetch[name] ?? fetch;
    const { browser, email } = await signUp(system);
    const headers = { cookie: cookieHeader(browser.cookies) };
    const response = await send(new Request(url, { headers }));
    expect(await response.json()).toEqual({ email });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^auth\.session_token=.+Max-Age=\d+/),
    ]);
    const stranger = await send(new Request(url));
    expect(await stranger.json()).toEqual({ email: null });
    expect(stranger.headers.getSetCookie()).toEqual([]);
  },
);

test("a live session has the user with the additional fields", async () => {
  const { token, email, user } = await signUp(system);
  const result = await latchkey.getSession({ headers: { authorization: `Bearer ${token}` } });
  expect(result).toMatchObject({
    isSignedIn: true,
    source: "session",
    userId: user.id,
    user: { email, plan: "free" },
    session: { userId: user.id, token },
    claims: null,
  });
  if (result.source === "session")
    expectTypeOf(result.user.plan).toEqualTypeOf<string | null | undefined>();
});

test("a signed token identifies its user, even after the sign-out", async () => {
  const { browser, user, email, token: sessionToken } = await signUp(system);
  const { token } = (await (await browser.get("/token")).json()) as { token: string };
  const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
  const identified = { isSignedIn: true, source: "token", userId: user.id, claims: { email } };
  expect(await latchkey.getSession(bearer(token))).toMatchObject(identified);
  expect((await browser.post("/sign-out")).status).toBe(200);
  expect(await latchkey.getSession(bearer(token))).toMatchObject(identified);
  expect(await latchkey.getSession(bearer(token), { live: true })).toMatchObject({
    refusal: "not-live",
  });
  expect(await latchkey.getSession(bearer(sessionToken))).toMatchObject({ isSignedIn: false });
});

test("a token of another installation is refused", async () => {
  const { browser } = await signUp(system);
  const { token } = (await (await browser.get("/token")).json()) as { token: string };
  const other = createLatchkey({ url: system.url, tokens: { issuer: "https://other.example" } });
  expect(await other.verifyToken(token)).toEqual({ ok: false, reason: "wrong-issuer" });
});

test("an API key is verified by the same client", async () => {
  const { browser, user } = await signUp(system);
  const created = await browser.post("/api-key/create", { name: "Shop" });
  const { key } = (await created.json()) as { key: string };
  expect(await latchkey.verifyApiKey(key)).toMatchObject({ ok: true, key: { userId: user.id } });
  expect(await latchkey.verifyApiKey(`${key}x`)).toEqual({ ok: false, reason: "unknown" });
});
