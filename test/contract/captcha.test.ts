import type { ServerResponse } from "node:http";
import type { LatchkeyConfig } from "@latchkey/contracts";
import type { RunningService } from "@latchkey/service-kit/run";
import { expectNoLeaks, freePort, until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callsMax, callsPerAddressMax } from "../../services/gateway/src/captcha/create-captcha.ts";
import { ada, signUpTwo } from "../harness/raw-sessions.ts";
import { jsonRequest, type RawRequest, type RawResponse, sendRaw } from "../harness/send-raw.ts";
import {
  type CaptchaProvider,
  respondWith,
  startCaptchaProvider,
} from "../harness/providers/captcha-provider.ts";
import { useSystem } from "../harness/use-system.ts";
import { type GatewayOptions, startGateway, withGateway } from "../harness/start-gateway.ts";

type CaptchaConfig = NonNullable<LatchkeyConfig["captcha"]>;

const secretKey = "the-secret-of-the-site";
const token = "the-token-of-the-client";
const password = "correct horse battery";

expectNoLeaks("file");

let provider: CaptchaProvider;
const { system } = useSystem({ stores: "postgres" });
beforeAll(async () => {
  provider = await startCaptchaProvider();
  await signUpTwo(system);
});
beforeEach(() => {
  provider.requests = [];
  provider.respond = respondWith({ success: true });
});
afterAll(async () => {
  await provider.stop();
});

const captchaOf = (captcha: CaptchaConfig): CaptchaConfig => ({
  enabled: true,
  secretKey,
  siteVerifyURLOverride: provider.url,
  ...captcha,
});

/** The gateway of all tests that need no other options. */
let usual: RunningService | undefined;
afterAll(() => usual?.stop());

/** Calls `work` with the origin of a gateway that requires captchas. */
const withCaptcha = async (
  captcha: CaptchaConfig,
  work: (origin: string) => Promise<void>,
  { config = {}, environment = {} }: GatewayOptions = {},
): Promise<void> => {
  const options = { config: { captcha: captchaOf(captcha), ...config }, environment };
  const isUsual = [captcha, config, environment].every((own) => Object.keys(own).length === 0);
  if (!isUsual) return withGateway(system, options, work);
  usual ??= await startGateway(system, options);
  await work(usual.url);
};

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
): Promise<RawResponse> => {
  const request = jsonRequest({ email: ada, password });
  return send(origin, target, { ...request, headers: { ...request.headers, ...headers } });
};

const expectRefusal = (answer: RawResponse, status: number, message: string) => {
  expect([answer.status, answer.text]).toEqual([status, JSON.stringify({ message })]);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.headers["x-request-id"]).toBeTruthy();
  expect(answer.cookies).toEqual([]);
};
const expectMissing = (answer: RawResponse) =>
  expectRefusal(answer, 400, "Missing CAPTCHA response");
const expectFailed = (answer: RawResponse) =>
  expectRefusal(answer, 403, "Captcha verification failed");
const expectUnverified = (answer: RawResponse) => {
  expectRefusal(answer, 503, "Something went wrong");
  expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
};

describe("an operation that needs a captcha", () => {
  test("succeeds after a solved captcha, with one call to the provider", async () => {
    await withCaptcha({}, async (origin) => {
      const answer = await signIn(origin, answered);
      expect([answer.status, answer.cookies.length]).toEqual([200, 1]);
      expect(provider.requests).toHaveLength(1);
    });
  });

  test.each([
    ["no header", {}],
    ["an empty header", { "x-captcha-response": "" }],
    ["a header of spaces", { "x-captcha-response": "  " }],
  ])("rejects %s without a call to the provider", async (_case, headers) => {
    await withCaptcha({}, async (origin) => {
      expectMissing(await signIn(origin, headers));
      expect(provider.requests).toEqual([]);
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
  ])("rejects requests if the provider answers %s", async (_case, captcha, answer) => {
    provider.respond = respondWith(answer);
    await withCaptcha(captcha, async (origin) => expectFailed(await signIn(origin, answered)));
  });

  /** Otherwise an overloaded provider would disable the protection. */
  test.each<[string, CaptchaProvider["respond"]]>([
    ["answers with an error", respondWith({ success: true }, 503)],
    [
      "sends us elsewhere",
      (response) => response.writeHead(307, { location: provider.url }).end('{"success":true}'),
    ],
    ["answers in HTML", (response) => response.end("<html>success</html>")],
    ["answers nothing", (response) => response.end()],
    ["answers without end", endlessly],
    ["repeats what it was sent", (response, body) => response.end(body)],
    ["hangs up", (response) => response.destroy()],
  ])("rejects all requests while the provider %s", async (_case, respond) => {
    provider.respond = respond;
    await withCaptcha({}, async (origin) => {
      expectUnverified(await signIn(origin, answered));
      expect(provider.requests).toHaveLength(1);
      provider.respond = respondWith({ success: true });
      expect((await signIn(origin, answered)).status).toBe(200);
    });
  });

  test("rejects all requests while the provider is unreachable", async () => {
    const siteVerifyURLOverride = `http://127.0.0.1:${await freePort()}/siteverify`;
    await withCaptcha({ siteVerifyURLOverride }, async (origin) =>
      expectUnverified(await signIn(origin, answered)),
    );
  });
});

describe("the provider receives", () => {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  const parameters = { secret: secretKey, response: token };
  const remoteip = "127.0.0.1";

  test.each<[string, CaptchaConfig, string]>([
    ["as Turnstile reads it", {}, JSON.stringify({ ...parameters, remoteip })],
    ["as reCAPTCHA reads it", { provider: "google-recaptcha" }, form({ ...parameters, remoteip })],
    [
      "as hCaptcha reads it",
      { provider: "hcaptcha", siteKey: "a site" },
      form({ ...parameters, sitekey: "a site", remoteip }),
    ],
  ])("secret, token and client %s", async (_case, captcha, expected) => {
    await withCaptcha(captcha, async (origin) => {
      await signIn(origin, answered);
      expect(provider.requests).toEqual([expected]);
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
        const [body = ""] = provider.requests;
        expect((JSON.parse(body) as { remoteip?: string }).remoteip).toBe(expected);
      },
      options,
    );
  });
});

describe("a captcha is required", () => {
  test.each([
    "/sign-up/email",
    "/sign-in/email",
    "/sign-in/username",
    "/forget-password",
    "/request-password-reset",
    "/reset-password",
    "/send-verification-email",
    "/change-password",
    "/change-email",
    "/delete-user",
    "/organization/invite-member",
    "/organization/resend-invitation",
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

  test.each([
    "/sign-out",
    "/sign-in/social",
    "/admin/create-user",
    "/admin/set-user-password",
    "/admin/first-run",
  ])("not by default at POST %s", async (target) => {
    await withCaptcha({}, async (origin) => {
      const answer = await send(origin, target, jsonRequest({ password }));
      expect(answer.text).not.toContain("CAPTCHA");
      expect(provider.requests).toEqual([]);
    });
  });

  test("at the configured operations instead of the defaults", async () => {
    const endpoints = ["/sign-in/username", "/ok/"];
    await withCaptcha({ endpoints }, async (origin) => {
      expectMissing(await send(origin, "/sign-in/username", jsonRequest({})));
      expectMissing(await send(origin, "/ok"));
      expect((await send(origin, "/ok", { headers: answered })).status).toBe(200);
      expect((await signIn(origin)).status).toBe(200);
    });
  });

  test("not at a disabled path", async () => {
    await withCaptcha(
      {},
      async (origin) => {
        const answer = await signIn(origin);
        expect([answer.status, answer.text]).toEqual([404, "Not Found"]);
      },
      { config: { disabledPaths: ["/sign-in/email"] } },
    );
  });

  test("not for a preflight, which allows pages to send the answer", async () => {
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

describe("a flood of failing captchas", () => {
  const behindProxy = { environment: { TRUSTED_PROXIES: "127.0.0.1" } };
  const answeredBy = (index: number) => ({
    ...answered,
    "x-forwarded-for": `192.0.2.${index}`,
  });
  const limited = { config: { rateLimit: { enabled: true } } };

  /** Attack: one address makes the gateway call the provider thousands of times. */
  test("reaches the provider only as often as the rate limit allows", async () => {
    provider.respond = respondWith({ success: false });
    await withCaptcha(
      {},
      async (origin) => {
        const answers = await Promise.all(
          Array.from({ length: 40 }, () => signIn(origin, answered)),
        );
        const statuses = answers.map(({ status }) => status).toSorted();
        expect(statuses).toEqual([...Array(3).fill(403), ...Array(37).fill(429)]);
        expect(provider.requests).toHaveLength(3);
      },
      limited,
    );
  });

  test("counts for the rate limit, as do requests without a captcha", async () => {
    await withCaptcha(
      {},
      async (origin) => {
        expectMissing(await signIn(origin));
        provider.respond = respondWith({ success: false });
        expectFailed(await signIn(origin, answered));
        provider.respond = respondWith({}, 500);
        expectUnverified(await signIn(origin, answered));
        expect((await signIn(origin, answered)).status).toBe(429);
      },
      limited,
    );
  });

  test("is rejected at once while the maximum number of calls is running", async () => {
    const pending: ServerResponse[] = [];
    provider.respond = (response) => pending.push(response);
    await withCaptcha(
      {},
      async (origin) => {
        const waiting = Array.from({ length: callsMax }, (_, index) =>
          signIn(origin, answeredBy(index)),
        );
        await until(() => pending.length === callsMax);
        expectUnverified(await signIn(origin, answeredBy(callsMax)));
        expect(provider.requests).toHaveLength(callsMax);
        for (const response of pending) respondWith({ success: false })(response, "");
        for (const answer of await Promise.all(waiting)) expectFailed(answer);
        provider.respond = respondWith({ success: true });
        expect((await signIn(origin, answeredBy(0))).status).toBe(200);
      },
      behindProxy,
    );
  });

  /** Attack: junk answers from one address used up the calls of all clients. */
  test("from one address leaves calls to other clients", async () => {
    const pending: ServerResponse[] = [];
    provider.respond = (response) => pending.push(response);
    await withCaptcha(
      {},
      async (origin) => {
        const waiting = Array.from({ length: callsPerAddressMax }, () =>
          signIn(origin, answeredBy(1)),
        );
        await until(() => pending.length === callsPerAddressMax);
        expectUnverified(await signIn(origin, answeredBy(1)));
        provider.respond = respondWith({ success: true });
        expect((await signIn(origin, answeredBy(2))).status).toBe(200);
        for (const response of pending) respondWith({ success: false })(response, "");
        for (const answer of await Promise.all(waiting)) expectFailed(answer);
        expect((await signIn(origin, answeredBy(1))).status).toBe(200);
      },
      behindProxy,
    );
  });
});

test("captchas are counted by outcome", async () => {
  const port = await freePort();
  const environment = { GATEWAY_INTERNAL_PORT: String(port) };
  const outcomes: [string, CaptchaProvider["respond"]][] = [
    ["passed", respondWith({ success: true })],
    ["failed", respondWith({ success: false })],
    ["secret refused", respondWith(secretRefused)],
    ["unavailable", respondWith({}, 500)],
  ];
  await withCaptcha(
    {},
    async (origin) => {
      await signIn(origin);
      for (const [, respond] of outcomes) {
        provider.respond = respond;
        await signIn(origin, answered);
      }
      const shown = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      for (const outcome of ["missing", ...outcomes.map(([name]) => name)])
        expect(shown).toContain(
          `latchkey_captchas_total{outcome="${outcome}",service="gateway"} 1`,
        );
    },
    { environment },
  );
});
