import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Operation, operations } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { createServicePool, type ServicePool } from "@latchkey/service-kit/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createUserRevisions } from "../user-revisions/user-revisions.ts";
import { forward, type ForwardRequest } from "./forward.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const ring = createSecretRing(["a secret for this test"]);
const { getSession, signInEmail } = operations.identity;

const revisions = createUserRevisions({ clock: Date.now, cachedSeconds: 60 });

/** Events that were applied, with the id of the request. */
let applied: unknown[];
const applyUrgentEvents = async (...asked: unknown[]) => {
  applied.push(asked);
};

let server: Server;
let pool: ServicePool;
let seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
let answers: Answer[];

const ok: Answer = (_request, response) => {
  response.setHeader("content-type", "application/json").end("null");
};
const hangUp: Answer = (request) => request.socket.destroy();

beforeEach(async () => {
  seen = [];
  applied = [];
  answers = [];
  server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const { method = "", url = "", headers } = request;
        seen.push({ method, url, headers, body });
        (answers.shift() ?? ok)(request, response);
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  pool = createServicePool([`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
});
afterEach(async () => {
  await pool.destroy();
  server.close();
});

const send = (operation: Operation, request: Partial<ForwardRequest> = {}) =>
  forward(
    { services: { identity: pool }, ring, clock: Date.now, revisions, applyUrgentEvents },
    {
      operation,
      path: operation.path,
      search: "",
      query: {},
      contentType: undefined,
      body: undefined,
      caller: {
        requestId: "id",
        operation: operation.name,
        baseUrl: "http://localhost/api/auth",
        address: "",
        userAgent: "",
      },
      ...request,
    },
  );

describe("a forwarded request", () => {
  test("carries the body, its media type and the query unchanged, and the caller", async () => {
    const body = Buffer.from('{ "odd" : "\u00fc\\ud800" }');
    await send(signInEmail, { body, contentType: "application/json; a=b", search: "?x=%2F&x" });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: "POST",
      url: "/sign-in/email?x=%2F&x",
      body: body.toString(),
    });
    expect(seen[0]?.headers).toMatchObject({
      "content-type": "application/json; a=b",
      "x-latchkey-caller": expect.stringMatching(/^\{.+\}\.[\w-]+$/),
    });
  });

  test("is retried once if the connection broke and the operation is repeatable", async () => {
    answers = [hangUp];
    expect((await send(getSession)).status).toBe(200);
    expect(seen).toHaveLength(2);
  });

  test("is not sent a third time", async () => {
    answers = [hangUp, hangUp];
    await expect(send(getSession)).rejects.toThrow();
    expect(seen).toHaveLength(2);
  });

  /** It may have been executed. A second attempt could sign in, charge or mail twice. */
  test("is never sent twice if the operation is not repeatable", async () => {
    answers = [hangUp];
    await expect(send(signInEmail)).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });
});

describe("a response to the client", () => {
  test("keeps its status, headers and bytes, without connection headers and internal ones", async () => {
    const effect = { kind: "clear" } as const;
    answers = [
      (_request, response) => {
        response.writeHead(422, {
          "content-type": "application/json",
          "retry-after": "1",
          "x-mine": "kept",
          "set-cookie": "a=b",
          "x-latchkey-caller": "inside",
          "x-latchkey-epoch": "inside:1",
          "x-latchkey-effect": Buffer.from(JSON.stringify(effect)).toString("base64url"),
        });
        response.end("\u00fc");
      },
    ];
    const answer = await send(getSession);
    expect(answer).toEqual({
      status: 422,
      headers: { "content-type": "application/json", "retry-after": "1", "x-mine": "kept" },
      body: Buffer.from("\u00fc"),
      effect,
    });
  });

  test("that invalidated cached sessions is sent after the gateway has recorded that", async () => {
    revisions.recordKnownUntil(Date.now());
    const current = () => ["a", "b:ü,", "c"].filter((userId) => revisions.isCurrent(userId, 6));
    expect(current()).toEqual(["a", "b:ü,", "c"]);
    answers = [
      (_request, response) => {
        response.setHeader("x-latchkey-epoch", "a:7,b%3A%C3%BC%2C:9007199254740991");
        response.end();
      },
    ];
    const { headers } = await send(getSession);
    expect([current(), Object.keys(headers)]).toEqual([["c"], []]);
  });

  test("with urgent events is sent after they are applied, ignoring unknown ones", async () => {
    const event = {
      id: "event",
      name: "user.claimed",
      version: 1,
      occurredAt: "2030-01-02T03:04:05.678Z",
      data: { userId: "a" },
    };
    const events = [event, { ...event, name: "user.renamed-by-a-newer-version" }];
    answers = [
      (_request, response) => {
        const header = Buffer.from(JSON.stringify(events)).toString("base64url");
        response.setHeader("x-latchkey-events", header).end();
      },
    ];
    const { headers } = await send(getSession);
    expect([applied, Object.keys(headers)]).toEqual([[[[event], "id"]], []]);
  });

  test("without an effect changes nothing in the browser", async () => {
    expect((await send(getSession)).effect).toBeUndefined();
  });
});
