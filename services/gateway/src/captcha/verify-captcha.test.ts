import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { WireError } from "@latchkey/contracts";
import { createLogger } from "@latchkey/service-kit/observe";
import { Pool } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyCaptcha } from "./verify-captcha.ts";

const secretKey = "the-secret-of-the-site";
const token = "the-token-of-the-client";
const answerBytesMax = 1_000;
const unhurried = 60_000;

interface Asked {
  method: string | undefined;
  url: string | undefined;
  contentType: string | undefined;
  body: string;
}

let server: Server;
let pool: Pool;
let url: string;
let requests: Asked[];
/** The response of the provider to the request. */
let respond: (response: ServerResponse, body: string) => void;

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const { method, url, headers } = request;
        requests.push({ method, url, contentType: headers["content-type"], body });
        respond(response, body);
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pool = new Pool(url, { maxResponseSize: answerBytesMax });
});
afterEach(async () => {
  await pool.destroy();
  server.close();
  server.closeAllConnections();
});

const verify = (deadlineMilliseconds = unhurried) =>
  verifyCaptcha(
    {
      pool,
      deadlineMilliseconds,
      captcha: {
        enabled: true,
        provider: "cloudflare-turnstile",
        secretKey,
        endpoints: [],
        siteVerifyURLOverride: `${url}/verify?site=a`,
        minScore: 0.5,
      },
    },
    { token, address: undefined },
  );

const answerWith =
  (status: number, body: string, headers: Record<string, string> = {}): typeof respond =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };
const yes = '{"success":true}';

/** Everything that a log would contain about the failure. */
const loggedOf = (error: unknown): string => {
  let lines = "";
  const destination = { write: (line: string) => (lines += line) };
  createLogger({ service: "test", level: "trace", destination }).warn({ err: error }, "failed");
  return lines;
};

const expectFailure = async (deadlineMilliseconds?: number): Promise<string> => {
  const error = await verify(deadlineMilliseconds).then(
    () => undefined,
    (reason: unknown) => reason as WireError,
  );
  expect([error?.code, error?.status]).toEqual(["SOMETHING_WENT_WRONG", 503]);
  const logged = loggedOf(error);
  for (const secret of [secretKey, token]) expect(logged).not.toContain(secret);
  return logged;
};

test("calls the provider once, at its address, and returns its verdict", async () => {
  respond = answerWith(200, yes);
  expect(await verify()).toBe("passed");
  expect(requests).toEqual([
    {
      method: "POST",
      url: "/verify?site=a",
      contentType: "application/json",
      body: JSON.stringify({ secret: secretKey, response: token }),
    },
  ]);
});

test.each([
  ["no", 200, '{"success":false}', "failed"],
  ["yes with another 2xx status", 202, yes, "passed"],
  ["yes in a response of the maximum length", 200, yes.padEnd(answerBytesMax), "passed"],
])("accepts a provider that says %s", async (_case, status, body, verdict) => {
  respond = answerWith(status, body);
  expect(await verify()).toBe(verdict);
});

/** Each of these would otherwise pass any client that can cause it. */
describe("a captcha fails, and neither secret nor token is revealed, if the provider", () => {
  test.each<[string, typeof respond, string]>([
    ["says yes with a 500 status", answerWith(500, yes), "answers 500"],
    ["says yes with a 403 status", answerWith(403, yes), "answers 403"],
    ["redirects to a yes", answerWith(302, yes, { location: "/moved" }), "answers 302"],
    ["responds with an empty body", answerWith(200, ""), "not answer in JSON"],
    ["responds without content", answerWith(204, ""), "not answer in JSON"],
    ["responds with HTML", answerWith(200, "<html>yes</html>"), "not answer in JSON"],
    ["responds with truncated JSON", answerWith(200, yes.slice(0, -1)), "not answer in JSON"],
    ["responds without success", answerWith(200, "{}"), "without a readable success"],
    ["echoes the token", answerWith(200, token), "not answer in JSON"],
    ["echoes the secret", answerWith(200, secretKey), "not answer in JSON"],
    ["echoes the request", (response, body) => response.end(body), "without a readable success"],
    [
      "responds with too many bytes",
      answerWith(200, yes.padEnd(answerBytesMax + 1)),
      "exceeded max size",
    ],
    [
      "responds with too many bytes without announcing their number",
      (response) => {
        for (let chunk = 0; chunk < 20; chunk++) response.write(yes.padEnd(100));
        response.end();
      },
      "exceeded max size",
    ],
    ["hangs up", (response) => response.socket?.destroy(), "other side closed"],
    [
      "closes the connection during its response",
      (response) => {
        response.writeHead(200, { "content-length": "100" }).write(yes, () => {
          response.socket?.destroy();
        });
      },
      "other side closed",
    ],
    [
      "does not use HTTP",
      (response, body) => (response.socket as Socket).end(`${body}\r\n\r\n`),
      "Expected HTTP",
    ],
  ])("%s", async (_case, does, reason) => {
    respond = does;
    expect(await expectFailure()).toContain(reason);
    expect(requests).toHaveLength(1);
  });

  test("is down", async () => {
    server.close();
    expect(await expectFailure()).toContain("ECONNREFUSED");
  });

  test.each<[string, typeof respond]>([
    ["an answer", () => {}],
    ["its answer's end", (response) => response.writeHead(200).write(yes)],
    [
      "the end of a response that comes byte by byte",
      (response) => {
        const drops = setInterval(() => response.write(" "), 5);
        response.once("close", () => clearInterval(drops));
      },
    ],
  ])("sends %s only after the deadline", async (_case, does) => {
    respond = does;
    expect(await expectFailure(100)).toContain("timeout");
  });
});
