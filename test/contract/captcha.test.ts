import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks, freePort } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { type CaptchaProvider, say, startCaptchaProvider } from "./captcha-provider.ts";
import { json, type RawAnswer, type RawRequest, sendRaw } from "./send-raw.ts";
import { withGateway } from "./start-gateway.ts";
import { ada, registerTwo } from "./two-people.ts";

type CaptchaConfig = NonNullable<LatchkeyConfig["captcha"]>;

const secretKey = "the-secret-of-the-site";
const token = "the-token-of-the-client";
const password = "correct horse battery";

expectNoLeaks("file");

let stack: Stack;
let provider: CaptchaProvider;
beforeAll(async () => {
  stack = await startStack({ stores: "postgres" });
  provider = await startCaptchaProvider();
  await registerTwo(stack);
});
beforeEach(() => {
  provider.asked = [];
  provider.respond = say({ success: true });
});
afterAll(async () => {
  await provider.stop();
  await stack.stop();
});

const captchaOf = (captcha: CaptchaConfig): CaptchaConfig => ({
  enabled: true,
  secretKey,
  siteVerifyURLOverride: provider.url,
  ...captcha,
});

/** A front door that asks for captchas. */
const withCaptcha = (
  captcha: CaptchaConfig,
  work: (origin: string) => Promise<void>,
  { config = {}, environment = {} }: Parameters<typeof withGateway>[1] = {},
) => withGateway(stack, { config: { captcha: captchaOf(captcha), ...config }, environment }, work);

const secretRefused = { success: false, "error-codes": ["invalid-input-secret"] };

const endlessly: CaptchaProvider["respond"] = (response) => {
  const chunk = `{"success":true}${" ".repeat(10_000)}`;
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
};

const answered = { "x-captcha-response": token };

const send = (
  origin: string,
  target: string,
  { headers = {}, ...request }: Partial<RawRequest> = {},
) => sendRaw(origin, { ...request, target: `/api/auth${target}`, headers });

const signIn = (
  origin: string,
  headers: Record<string, string> = {},
  target = "/sign-in/email",
): Promise<RawAnswer> => {
  const request = json({ email: ada, password });
  return send(origin, target, { ...request, headers: { ...request.headers, ...headers } });
};

const expectRefusal = (answer: RawAnswer, status: number, message: string) => {
  expect([answer.status, answer.text]).toEqual([status, JSON.stringify({ message })]);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.headers["x-request-id"]).toBeTruthy();
  expect(answer.cookies).toEqual([]);
};
const expectMissing = (answer: RawAnswer) => expectRefusal(answer, 400, "Missing CAPTCHA response");
const expectFailed = (answer: RawAnswer) =>
  expectRefusal(answer, 403, "Captcha verification failed");
const expectUnverified = (answer: RawAnswer) => expectRefusal(answer, 500, "Something went wrong");

describe("an operation that needs a captcha", () => {
  test("answers who solved one, after the provider was asked once", async () => {
    await withCaptcha({}, async (origin) => {
      const answer = await signIn(origin, answered);
      expect([answer.status, answer.cookies.length]).toEqual([200, 1]);
      expect(provider.asked).toHaveLength(1);
    });
  });

  test.each([
    ["no header", {}],
    ["an empty header", { "x-captcha-response": "" }],
    ["a header of spaces", { "x-captcha-response": "  " }],
  ])("refuses who sends %s, and asks nobody", async (_case, headers) => {
    await withCaptcha({}, async (origin) => {
      expectMissing(await signIn(origin, headers));
      expect(provider.asked).toEqual([]);
    });
  });

  test.each<[string, CaptchaConfig, object]>([
    ["no", {}, { success: false }],
    ["no, and that it does not take the secret", {}, secretRefused],
    ["no, for reCAPTCHA", { provider: "google-recaptcha" }, { success: false, score: 1 }],
    ["a low score", { provider: "google-recaptcha" }, { success: true, score: 0.49 }],
    [
      "a score below the configured one",
      { provider: "google-recaptcha", minScore: 0.9 },
      { success: true, score: 0.89 },
    ],
    ["no, for hCaptcha", { provider: "hcaptcha" }, { success: false }],
  ])("refuses whom the provider gives %s", async (_case, captcha, answer) => {
    provider.respond = say(answer);
    await withCaptcha(captcha, async (origin) => expectFailed(await signIn(origin, answered)));
  });

  /** Otherwise a provider that is overrun would open the door. */
  test.each<[string, CaptchaProvider["respond"]]>([
    ["answers with an error", say({ success: true }, 503)],
    [
      "sends us elsewhere",
      (response) => response.writeHead(307, { location: provider.url }).end('{"success":true}'),
    ],
    ["answers in HTML", (response) => response.end("<html>success</html>")],
    ["answers nothing", (response) => response.end()],
    ["answers without end", endlessly],
    ["repeats what it was sent", (response, body) => response.end(body)],
    ["hangs up", (response) => response.destroy()],
  ])("refuses all while the provider %s", async (_case, respond) => {
    provider.respond = respond;
    await withCaptcha({}, async (origin) => {
      expectUnverified(await signIn(origin, answered));
      expect(provider.asked).toHaveLength(1);
      provider.respond = say({ success: true });
      expect((await signIn(origin, answered)).status).toBe(200);
    });
  });

  test("refuses all while the provider is not there", async () => {
    const siteVerifyURLOverride = `http://127.0.0.1:${await freePort()}/siteverify`;
    await withCaptcha({ siteVerifyURLOverride }, async (origin) =>
      expectUnverified(await signIn(origin, answered)),
    );
  });
});

describe("the provider is told", () => {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  const told = { secret: secretKey, response: token };
  const remoteip = "127.0.0.1";

  test.each<[string, CaptchaConfig, string]>([
    ["as Turnstile reads it", {}, JSON.stringify({ ...told, remoteip })],
    ["as reCAPTCHA reads it", { provider: "google-recaptcha" }, form({ ...told, remoteip })],
    [
      "as hCaptcha reads it",
      { provider: "hcaptcha", siteKey: "a site" },
      form({ ...told, sitekey: "a site", remoteip }),
    ],
  ])("secret, token and client %s", async (_case, captcha, expected) => {
    await withCaptcha(captcha, async (origin) => {
      await signIn(origin, answered);
      expect(provider.asked).toEqual([expected]);
    });
  });

  const named = (address: string) => ({ ...answered, "x-captcha-user-remote-ip": address });
  const untracked = { config: { advanced: { ipAddress: { disableIpTracking: true } } } };
  test.each<[string, Record<string, string>, object, string | undefined]>([
    ["of the socket", answered, {}, "127.0.0.1"],
    ["that the request names", named("192.0.2.1"), {}, "192.0.2.1"],
    ["that the request names, of IPv6", named("2001:DB8:0::1"), {}, "2001:db8::1"],
    ["of the socket where the request names none", named("me, 192.0.2.1"), {}, "127.0.0.1"],
    [
      "that a trusted proxy vouches for",
      { ...answered, "x-forwarded-for": "192.0.2.2" },
      { environment: { TRUSTED_PROXIES: "127.0.0.1" } },
      "192.0.2.2",
    ],
    ["not where addresses are not to be known", answered, untracked, undefined],
    ["that the request names all the same", named("192.0.2.1"), untracked, "192.0.2.1"],
  ])("the address %s", async (_case, headers, options, expected) => {
    await withCaptcha(
      {},
      async (origin) => {
        await signIn(origin, headers);
        const [body = ""] = provider.asked;
        expect((JSON.parse(body) as { remoteip?: string }).remoteip).toBe(expected);
      },
      options,
    );
  });
});

describe("a captcha is asked for", () => {
  test.each([
    "/sign-up/email",
    "/sign-in/email",
    "/forget-password",
    "/request-password-reset",
    "/sign-in/email/",
    "/sign-in/email?x=/ok",
    "/sign-%69n/email",
    "/%73ign-up/email/?",
  ])("by default at POST %s", async (target) => {
    await withCaptcha({}, async (origin) => expectMissing(await signIn(origin, {}, target)));
  });

  test.each([
    ["GET", "/ok?x=/sign-in/email", 200],
    ["GET", "/error?error=/sign-up/email", 200],
    ["GET", "/get-session?x=/sign-in/email", 200],
    ["GET", "/sign-in/email", 404],
    ["GET", "/nothing/sign-in/email", 404],
    ["GET", "/sign-in/email/more", 404],
    ["GET", "/sign-in%2femail", 404],
    ["OPTIONS", "/sign-in/email", 404],
  ])("not at %s %s", async (method, target, status) => {
    await withCaptcha({}, async (origin) => {
      expect((await send(origin, target, { method })).status).toBe(status);
    });
  });

  test("not at POST /sign-in/username", async () => {
    await withCaptcha({}, async (origin) => {
      const request = json({ username: "nobody", password });
      const answer = await send(origin, "/sign-in/username", request);
      expect(answer.text).not.toContain("CAPTCHA");
      expect(provider.asked).toEqual([]);
    });
  });

  test("at the configured operations in place of those", async () => {
    const endpoints = ["/sign-in/username", "/ok/"];
    await withCaptcha({ endpoints }, async (origin) => {
      expectMissing(await send(origin, "/sign-in/username", json({})));
      expectMissing(await send(origin, "/ok"));
      expect((await send(origin, "/ok", { headers: answered })).status).toBe(200);
      expect((await signIn(origin)).status).toBe(200);
    });
  });

  test("not at a path that is disabled", async () => {
    await withCaptcha(
      {},
      async (origin) => {
        const answer = await signIn(origin);
        expect([answer.status, answer.text]).toEqual([404, "Not Found"]);
      },
      { config: { disabledPaths: ["/sign-in/email"] } },
    );
  });

  test("not by a preflight, which learns that a page may send the answer", async () => {
    const allowed = "content-type, x-captcha-response, x-captcha-user-remote-ip";
    await withCaptcha(
      {},
      async (origin) => {
        const headers = {
          origin: "https://app.example.com",
          "access-control-request-method": "POST",
          "access-control-request-headers": allowed,
        };
        const preflight = await send(origin, "/sign-in/email", { method: "OPTIONS", headers });
        expect(preflight.status).toBe(204);
        expect(preflight.headers["access-control-allow-headers"]).toBe(allowed);
      },
      { config: { trustedOrigins: ["https://app.example.com"] } },
    );
  });
});

test("captchas that fail leave a client's count of requests as it is", async () => {
  await withCaptcha(
    {},
    async (origin) => {
      for (let round = 0; round < 4; round++) expectMissing(await signIn(origin));
      provider.respond = say({ success: false });
      for (let round = 0; round < 4; round++) expectFailed(await signIn(origin, answered));
      provider.respond = say({}, 500);
      for (let round = 0; round < 4; round++) expectUnverified(await signIn(origin, answered));
      provider.respond = say({ success: true });
      const statuses: number[] = [];
      for (let round = 0; round < 4; round++)
        statuses.push((await signIn(origin, answered)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    },
    { config: { rateLimit: { enabled: true } } },
  );
});
