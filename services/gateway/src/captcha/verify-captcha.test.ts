import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { WireError } from "@latchkey/contracts";
import { createLogger } from "@latchkey/service-kit";
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
let asked: Asked[];
/** What the provider does with what it was sent. */
let respond: (response: ServerResponse, body: string) => void;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const { method, url, headers } = request;
        asked.push({ method, url, contentType: headers["content-type"], body });
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

/** All that a log would show of the failure. */
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
  expect([error?.code, error?.status]).toEqual(["SOMETHING_WENT_WRONG", 500]);
  const logged = loggedOf(error);
  for (const secret of [secretKey, token]) expect(logged).not.toContain(secret);
  return logged;
};

test("the provider is asked once, at its address, and its answer counts", async () => {
  respond = answerWith(200, yes);
  expect(await verify()).toBe("passed");
  expect(asked).toEqual([
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
  ["yes with another good status", 202, yes, "passed"],
  ["yes in an answer as long as may be", 200, yes.padEnd(answerBytesMax), "passed"],
])("a provider may say %s", async (_case, status, body, verdict) => {
  respond = answerWith(status, body);
  expect(await verify()).toBe(verdict);
});

/** Each would otherwise let in whoever can bring it about. */
describe("nobody passes, and neither secret nor token is told, when the provider", () => {
  test.each<[string, typeof respond, string]>([
    ["says yes with an error's status", answerWith(500, yes), "answers 500"],
    ["says yes with a refusal's status", answerWith(403, yes), "answers 403"],
    ["says yes somewhere else", answerWith(302, yes, { location: "/moved" }), "answers 302"],
    ["says nothing", answerWith(200, ""), "not answer in JSON"],
    ["says nothing, and that it does so", answerWith(204, ""), "not answer in JSON"],
    ["says something else", answerWith(200, "<html>yes</html>"), "not answer in JSON"],
    ["says half of it", answerWith(200, yes.slice(0, -1)), "not answer in JSON"],
    ["says it with no success", answerWith(200, "{}"), "without a readable success"],
    ["repeats the token", answerWith(200, token), "not answer in JSON"],
    ["repeats the secret", answerWith(200, secretKey), "not answer in JSON"],
    [
      "repeats what it was sent",
      (response, body) => response.end(body),
      "without a readable success",
    ],
    ["says more than it may", answerWith(200, yes.padEnd(answerBytesMax + 1)), "exceeded max size"],
    [
      "says more than it may without saying how much",
      (response) => {
        for (let chunk = 0; chunk < 20; chunk++) response.write(yes.padEnd(100));
        response.end();
      },
      "exceeded max size",
    ],
    ["hangs up", (response) => response.socket?.destroy(), "other side closed"],
    [
      "hangs up within its answer",
      (response) => {
        response.writeHead(200, { "content-length": "100" }).write(yes, () => {
          response.socket?.destroy();
        });
      },
      "other side closed",
    ],
    [
      "does not speak HTTP",
      (response, body) => (response.socket as Socket).end(`${body}\r\n\r\n`),
      "Expected HTTP",
    ],
  ])("%s", async (_case, does, reason) => {
    respond = does;
    expect(await expectFailure()).toContain(reason);
    expect(asked).toHaveLength(1);
  });

  test("is not there", async () => {
    server.close();
    expect(await expectFailure()).toContain("ECONNREFUSED");
  });

  test.each<[string, typeof respond]>([
    ["an answer", () => {}],
    ["its answer's end", (response) => response.writeHead(200).write(yes)],
    [
      "the end of an answer that comes drop by drop",
      (response) => {
        const drops = setInterval(() => response.write(" "), 5);
        response.once("close", () => clearInterval(drops));
      },
    ],
  ])("lets us wait for %s beyond the deadline", async (_case, does) => {
    respond = does;
    expect(await expectFailure(100)).toContain("timeout");
  });
});
