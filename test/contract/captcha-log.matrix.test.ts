import { until } from "@latchkey/testkit";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type RawResponse, sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  type CaptchaProvider,
  respondWith,
  startCaptchaProvider,
} from "../harness/providers/captcha-provider.ts";

const secretKey = "the-secret-of-the-site";
const token = "the-token-of-the-client";

let provider: CaptchaProvider;
const { system } = useSystem(async () => {
  provider = await startCaptchaProvider();
  return {
    topology: "processes",
    stores: "postgres",
    absent: ["mailer"],
    environment: { LOG_LEVEL: "trace" },
    config: {
      captcha: {
        enabled: true,
        secretKey,
        siteVerifyURLOverride: provider.url,
        endpoints: ["/ok", "/sign-in"],
      },
    },
  };
});
beforeEach(() => {
  provider.respond = respondWith({ success: true });
});
afterAll(async () => {
  await provider.stop();
});

const send = (): Promise<RawResponse> =>
  sendRaw(system.origin, {
    target: "/api/auth/ok",
    headers: { "x-captcha-response": token },
  });

/** Returns the gateway's log line that contains these words. */
const lineWith = (...words: readonly string[]): Promise<string> =>
  until(
    () =>
      system
        .output("gateway")
        .split("\n")
        .find((line) => words.every((word) => line.includes(word))),
    { describe: `a line of the log with ${words.join(" and ")}` },
  );

const expectSecrecy = ({ headers, text }: RawResponse) => {
  const shown = JSON.stringify(headers) + text + system.output("gateway");
  for (const secret of [secretKey, token]) expect(shown).not.toContain(secret);
};

test.each<[string, CaptchaProvider["respond"], string]>([
  ["with an error", respondWith({}, 502), "answers 502"],
  ["with what it was sent", (response, body) => response.end(body), "without a readable success"],
  ["with the token", (response) => response.end(token), "not answer in JSON"],
  ["not at all", (response) => response.destroy(), "other side closed"],
])(
  "a provider that answers %s is logged with the request's id, never with secret or token",
  async (_case, respond, reason) => {
    provider.respond = respond;
    const answer = await send();
    expect([answer.status, answer.text]).toEqual([503, '{"message":"Something went wrong"}']);
    await lineWith(reason, String(answer.headers["x-request-id"]));
    expectSecrecy(answer);
  },
);

/** Clients only see a failed captcha, so the log is the only sign. */
test("a secret that the provider rejects is logged as an error", async () => {
  provider.respond = respondWith({ success: false, "error-codes": ["invalid-input-secret"] });
  const answer = await send();
  expect(answer.status).toBe(403);
  const line = await lineWith("captcha.secretKey", String(answer.headers["x-request-id"]));
  expect(JSON.parse(line)).toMatchObject({ level: 50 });
  expectSecrecy(answer);
});

test("a solved captcha leaves no trace in answer or log", async () => {
  const answer = await send();
  expect(answer.status).toBe(200);
  expectSecrecy(answer);
});

/** It would protect nothing. */
test("a configured path without an operation is logged at start", async () => {
  const line = await lineWith("captcha.endpoints", '"/sign-in"');
  expect(JSON.parse(line)).toMatchObject({ level: 50 });
});
