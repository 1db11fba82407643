import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { freePort, until } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { jsonRequest, sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";
import { withGateway } from "../harness/start-gateway.ts";

const password = "correct horse battery";
const email = "ada@example.com";

const before = ({ query }: { query: Readonly<Record<string, unknown>> }) => {
  if (query["fail"]) throw new Error(`a hook of the application failed with ${password}`);
};
const { system } = useSystem({
  stores: "postgres",
  config: { hooks: { before }, logger: { level: "silent" } },
});
beforeAll(async () => {
  const request = jsonRequest({ name: "Ada", email, password });
  await sendRaw(system.origin, { ...request, target: "/api/auth/sign-up/email" });
});

const post = async (
  contentType: string | undefined,
  body: string | Buffer,
  target = "/sign-in/email",
) =>
  sendRaw(system.origin, {
    method: "POST",
    target: `/api/auth${target}`,
    headers: contentType === undefined ? {} : { "content-type": contentType },
    body,
  });

const invalid = (text: string) =>
  expect(JSON.parse(text)).toMatchObject({
    code: "VALIDATION_ERROR",
    message: "Invalid body parameters",
  });

describe("an unreadable body is 400 VALIDATION_ERROR", () => {
  const good = JSON.stringify({ email, password });
  test.each<[string, string | undefined, string | Buffer]>([
    ["an open brace", "application/json", "{"],
    ["a trailing comma", "application/json", '{"email":"a",}'],
    ["single quotes", "application/json", "{'email':'a'}"],
    ["two documents", "application/json", `${good}${good}`],
    ["a constant that JSON lacks", "application/json", "NaN"],
    ["form data that says it is JSON", "application/json", "email=a&password=b"],
    ["bytes that are not text", "application/json", Buffer.from([0xff, 0xfe, 0x00])],
    ["nothing", "application/json", ""],
    ["null", "application/json", "null"],
    ["an array", "application/json", "[]"],
    ["a text", "application/json", '"a"'],
    ["a number", "application/json", "1"],
    ["JSON of another media type", "application/vnd.api+json", good],
    ["JSON as text", "text/plain", good],
    ["JSON as bytes", "application/octet-stream", good],
    ["JSON as an image", "image/png", good],
    ["JSON of no media type", undefined, good],
    ["JSON of a media type that is none", "junk", good],
    ["an empty media type", "", good],
    ["multipart without a boundary", "multipart/form-data", good],
    ["multipart of another boundary", "multipart/form-data; boundary=a", "--b\r\n\r\n--b--"],
    ["a form without a field", "application/x-www-form-urlencoded", "email=a%40example.com"],
  ])("%s", async (_case, contentType, body) => {
    const answer = await post(contentType, body);
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("application/json");
    invalid(answer.text);
  });

  test("null, which no optional field accepts", async () => {
    invalid(
      (await post("application/json", JSON.stringify({ email, password, rememberMe: null }))).text,
    );
  });

  test("a boolean in a form, where it is text", async () => {
    const body = new URLSearchParams({ email, password, rememberMe: "false" }).toString();
    invalid((await post("application/x-www-form-urlencoded", body)).text);
  });

  test("with fields and reasons, never values", async () => {
    const secret = "hunter2-hunter2";
    const { text } = await post(
      "application/json",
      JSON.stringify({ email: [secret], password: { secret } }),
    );
    const { issues } = JSON.parse(text) as { issues: { path: string; message: string }[] };
    expect(issues.map(({ path }) => path).toSorted()).toEqual(["email", "password"]);
    expect(issues.every((issue) => Object.keys(issue).toSorted().join() === "message,path")).toBe(
      true,
    );
    expect(text).not.toContain(secret);
  });

  test("before authentication", async () => {
    invalid((await post("application/json", "{}", "/revoke-session")).text);
  });
});

describe("a body can be sent as", () => {
  const fields = { email, password };
  const boundary = "----boundary";
  const part = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const multipart = `${part("email", "old@example.com")}${part("email", email)}${part("password", password)}--${boundary}--\r\n`;
  test.each<[string, string, string]>([
    ["JSON", "application/json", JSON.stringify(fields)],
    ["JSON with a charset", "application/json; charset=utf-8", JSON.stringify(fields)],
    ["JSON in capitals", "APPLICATION/JSON", JSON.stringify(fields)],
    ["JSON with unknown fields", "application/json", JSON.stringify({ ...fields, role: "admin" })],
    ["a form", "application/x-www-form-urlencoded", new URLSearchParams(fields).toString()],
    [
      "a form whose later fields win",
      "application/x-www-form-urlencoded",
      `email=old%40example.com&${new URLSearchParams(fields).toString()}`,
    ],
    ["multipart whose later fields win", `multipart/form-data; boundary=${boundary}`, multipart],
  ])("%s", async (_case, contentType, body) => {
    const answer = await post(contentType, body);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ user: { email } });
  });
});

describe("a query", () => {
  test.each([
    "disableRefresh=true&disableRefresh=true",
    "disableCookieCache=a&disableCookieCache=b",
  ])("with a repeated key is 400 if a single value is expected: %s", async (query) => {
    const { status, text } = await sendRaw(system.origin, {
      target: `/api/auth/get-session?${query}`,
    });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      code: "VALIDATION_ERROR",
      message: "Invalid query parameters",
    });
  });
});

describe("a body over one mebibyte", () => {
  const bodyBytesMax = 1024 * 1024;
  const bodyOf = (bytes: number) => `{"email":"${"x".repeat(bytes - 12)}"}`;
  const tooLarge = [413, '{"code":"BODY_TOO_LARGE","message":"Body is too large"}'];

  test("is 413 with the error envelope, and exactly that size is accepted", async () => {
    const over = await post("application/json", bodyOf(bodyBytesMax + 1));
    expect([over.status, over.text]).toEqual(tooLarge);
    expect(over.headers["content-type"]).toBe("application/json");
    expect((await post("application/json", bodyOf(bodyBytesMax))).status).toBe(400);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", undefined])(
    "is 413 in any media type: %s",
    async (contentType) => {
      const over = await post(contentType, "x".repeat(bodyBytesMax + 1));
      expect([over.status, over.text]).toEqual(tooLarge);
    },
  );

  /** Otherwise a proxy's connection is reset, and it never reads the answer. */
  test("keeps its connection open, unless it is many times too large", async () => {
    const socket = connect(Number(new URL(system.origin).port), "127.0.0.1");
    const received: string[] = [];
    socket.setEncoding("latin1").on("data", (text: string) => received.push(text));
    const statuses = () =>
      [...received.join("").matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    const head = (bytes: number) =>
      `POST /api/auth/sign-out HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`;
    const over = 8 * bodyBytesMax;
    socket.write(
      `${head(over)}${"x".repeat(over)}GET /api/auth/ok HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    );
    await until(() => statuses().length === 2);
    expect(statuses()).toEqual(["413", "200"]);
    socket.write(head(over + 1));
    await once(socket, "close");
    expect(statuses()).toEqual(["413", "200", "413"]);
  });

  /** Proxies without keep-alive behave like this. */
  test("is read before the answer, even if the client closes the connection afterwards", async () => {
    const socket = connect(Number(new URL(system.origin).port), "127.0.0.1");
    const answered = text(socket);
    const chunks = 4 * 16;
    socket.write(
      `POST /api/auth/sign-out HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${chunks * 65_536}\r\n\r\n`,
    );
    for (let sent = 0; sent < chunks; sent += 1) {
      socket.write("x".repeat(65_536));
      await setImmediate(); // a server that closes too early does so by now
    }
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("is 413 without a Content-Length", async () => {
    const chunk = new TextEncoder().encode("x".repeat(65_536));
    let chunksLeft = 17;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (chunksLeft-- > 0 ? controller.enqueue(chunk) : controller.close()),
    });
    const answer = await fetch(`${system.url}/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    });
    expect([answer.status, await answer.text()]).toEqual(tooLarge);
  });
});

describe("a failure of the server", () => {
  test("is 500 without a body, whatever the cause", async () => {
    for (const request of [
      { target: "/api/auth/get-session?fail=1" },
      { ...jsonRequest({ email, password }), target: "/api/auth/sign-in/email?fail=1" },
    ]) {
      const answer = await sendRaw(system.origin, request);
      expect([answer.status, answer.text, answer.cookies]).toEqual([500, "", []]);
      expect(answer.headers).not.toHaveProperty("content-type");
      expect(answer.headers["x-request-id"]).toBeTruthy();
    }
  });

  test("is 503 with Retry-After while the operation's owner is down, and the gateway itself answers", async () => {
    const environment = { IDENTITY_URL: `http://127.0.0.1:${await freePort()}` };
    await withGateway(system, { environment }, async (origin) => {
      for (const request of [
        { target: "/api/auth/get-session" },
        { ...jsonRequest({ email, password }), target: "/api/auth/sign-in/email" },
      ]) {
        const answer = await sendRaw(origin, request);
        expect([answer.status, JSON.parse(answer.text)]).toEqual([
          503,
          { code: "SERVICE_UNAVAILABLE", message: "Service unavailable. Please try again later." },
        ]);
        expect(answer.headers["content-type"]).toBe("application/json");
        expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
      }
      expect((await sendRaw(origin, { target: "/api/auth/ok" })).status).toBe(200);
    });
  });
});
