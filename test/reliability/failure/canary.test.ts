import { allOperations, type Operation } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../../harness/browser-like.ts";
import {
  type CaptchaProvider,
  respondWith,
  startCaptchaProvider,
} from "../../harness/providers/captcha-provider.ts";
import { type OAuthProvider, startOAuthProvider } from "../../harness/providers/oauth-provider.ts";
import { type ProcessSystem, startSystem } from "../../harness/start-system.ts";
import { canary } from "./canary.ts";
import {
  arrive,
  failuresTold,
  providerCanaries,
  providersAt,
  tourProviders,
} from "./tour-providers.ts";
import { matrix } from "../../harness/matrix.ts";
import { openPool } from "../../harness/rows.ts";

/** Texts that only their holder may see, by the place where they were put. */
const canaries = {
  secret: canary("secret"),
  serviceToken: canary("service-token"),
  smtpPassword: canary("smtp"),
  captchaSecret: canary("captcha"),
  password: canary("password"),
  newPassword: canary("new-password"),
  storedHash: canary("stored-hash"),
  hiddenField: canary("hidden-field"),
  storedToken: canary("stored-token"),
  privateKey: canary("private-key"),
  provider: canary("provider"),
  sentToken: canary("sent-token"),
};

let provider: CaptchaProvider;
let social: OAuthProvider;
beforeAll(async () => {
  provider = await startCaptchaProvider();
  social = await startOAuthProvider();
});
afterAll(async () => {
  await social.stop();
  await provider.stop();
});

const config = () => ({
  ...providersAt(social),
  account: { accountLinking: { allowUnlinkingAll: true } },
  captcha: {
    enabled: true,
    provider: "google-recaptcha" as const,
    secretKey: canaries.captchaSecret,
    siteVerifyURLOverride: provider.url,
    endpoints: ["/sign-in/username"],
  },
  user: {
    additionalFields: { note: { type: "string" as const, required: false, returned: false } },
    changeEmail: { enabled: true },
    deleteUser: { enabled: true },
  },
  emailVerification: { sendOnSignUp: true },
  session: { cookieCache: { enabled: true } },
  rateLimit: { enabled: false },
});

const start = (stores: "postgres" | "own redis") =>
  startSystem({
    topology: "processes",
    passwords: "real",
    stores,
    config: config(),
    environment: {
      AUTH_SECRET: canaries.secret,
      SERVICE_TOKENS: `ops:${canaries.serviceToken}`,
      SMTP_URL: `smtp://latchkey:${canaries.smtpPassword}@127.0.0.1:9`,
      LOG_LEVEL: "trace",
    },
  });

/** Bodies and queries that get past the first checks of most operations, and some that no schema accepts. */
const inputs: readonly Record<string, unknown>[] = [
  {},
  {
    name: "Ada",
    email: "ada@example.com",
    newEmail: "ada@new.example",
    username: "ada_l",
    password: canaries.password,
    currentPassword: canaries.password,
    newPassword: canaries.newPassword,
    token: canaries.sentToken,
    sessionToken: canaries.sentToken,
    userId: "nobody",
    provider: "forum",
    idToken: { token: canaries.sentToken },
    code: "nowhere-good",
    accountId: canaries.sentToken,
    providerId: "credential",
    role: "user",
    permissions: { user: ["list"] },
    callbackURL: "/",
  },
  { email: 5, password: [canaries.password], newPassword: { a: canaries.newPassword }, token: 7 },
];

const pathOf = ({ path }: Operation) =>
  path.replace("{token}", canaries.sentToken).replace("{id}", "forum");

const queryOf = (input: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(input).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  ).toString();

/** Returns where each of the texts is in an output, with its context. */
const findIn = (outputs: readonly string[], texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    outputs.flatMap((output) => {
      const at = output.indexOf(text);
      return at < 0 ? [] : [`${text} in ${output.slice(Math.max(0, at - 300), at + 120)}`];
    }),
  );

describe.each(matrix("own redis", "postgres"))("with sessions and bus in %s", (stores) => {
  let system: ProcessSystem;
  let pool: ReturnType<typeof openPool>;
  const replies: string[] = [];

  beforeAll(async () => {
    system = await start(stores);
    pool = openPool(system.databaseUrl);
  });
  afterAll(async () => {
    await pool?.end();
    await system?.stop();
  });

  const keep = async (answer: Response) => {
    const headers = [...answer.headers].map((header) => header.join(": ")).join("\n");
    replies.push(`${answer.status}\n${headers}\n${await answer.text()}`);
  };

  const ask = async (
    browser: BrowserLike,
    operation: Operation,
    input: Record<string, unknown>,
  ): Promise<void> => {
    const headers = { "x-captcha-response": "solved" };
    const target = `${pathOf(operation)}?${queryOf(input)}`;
    await keep(
      operation.method === "GET"
        ? await browser.get(target, headers)
        : await browser.post(pathOf(operation), input, headers),
    );
  };

  const signUp = async (email: string) => {
    const browser = createBrowserLike(system.url);
    const answer = await browser.post("/sign-up/email", {
      name: "Ada",
      email,
      password: canaries.password,
      note: canaries.hiddenField,
    });
    expect(answer.status).toBe(200);
    return { browser, ...((await answer.clone().json()) as { user: { id: string } }) };
  };

  /** Adds texts to the database that must not appear anywhere else. */
  const plant = async (userId: string) => {
    await pool.query("update identity.account set password = $2 where user_id = $1", [
      userId,
      canaries.storedHash,
    ]);
    await pool.query(
      `insert into identity.verification (id, identifier, value, expires_at, created_at, updated_at)
       values ('v', $1, $2, now() + interval '1 hour', now(), now())`,
      [`reset-password:${canaries.storedToken}`, userId],
    );
    await pool.query(
      `insert into identity.signing_key (id, alg, public_key, private_key, created_at)
       values ('k', 'EdDSA', '{"kty":"OKP","crv":"Ed25519","x":"AA"}', $1, now() - interval '1 hour')`,
      [canaries.privateKey],
    );
  };

  /** Attack: reading logs, answers and errors for configured, stored or sent secrets. */
  test("no planted secret is in any answer, header, error or log of a tour of every operation", async () => {
    const admin = await signUp(`admin-${stores.replace(" ", "-")}@example.com`);
    await pool.query(`update identity."user" set role = 'admin' where id = $1`, [admin.user.id]);
    const victim = await signUp("victim@example.com");
    await plant(victim.user.id);
    const adminBrowser = createBrowserLike(system.url);
    await keep(
      await adminBrowser.post("/sign-in/email", {
        email: `admin-${stores.replace(" ", "-")}@example.com`,
        password: canaries.password,
      }),
    );
    const verdicts: CaptchaProvider["respond"][] = [
      respondWith({ success: true }),
      respondWith({ success: false, "error-codes": [canaries.provider] }),
      respondWith({ error: canaries.provider }, 500),
      (_request) => {
        _request.end(canaries.provider);
      },
    ];
    const offered = allOperations.filter(({ exposure }) => exposure === "public");
    let person = await signUp("somebody@example.com");
    for (const operation of offered)
      for (const [index, input] of inputs.entries()) {
        provider.respond = verdicts[index % verdicts.length]!; // the list is never empty
        const session = await person.browser.get("/get-session?disableCookieCache=true");
        if ((await session.text()) === "null")
          person = await signUp(`p-${operation.name}-${index}@example.com`.toLowerCase());
        for (const browser of [createBrowserLike(system.url), person.browser, adminBrowser])
          await ask(browser, operation, { ...input, userId: victim.user.id });
        if (operation.name === "signOut" || operation.path.startsWith("/revoke"))
          await adminBrowser.post("/sign-in/email", {
            email: `admin-${stores.replace(" ", "-")}@example.com`,
            password: canaries.password,
          });
      }
    for (const respond of verdicts) {
      provider.respond = respond;
      const browser = createBrowserLike(system.url);
      const headers = { "x-captcha-response": canaries.sentToken };
      await keep(await browser.post("/sign-in/username", { username: "ada_l" }, headers));
    }
    const carried = new Set<string>();
    const tour = { url: system.url, provider: social, keep, carried };
    const ours = await tourProviders(tour);
    // A store that fails halfway causes the longest error messages.
    await pool.query("alter table identity.account rename to account_elsewhere");
    const broken = createBrowserLike(system.url);
    await keep(
      await broken.post("/sign-in/email", {
        email: "victim@example.com",
        password: canaries.password,
      }),
    );
    await keep(await arrive(tour, broken));
    await pool.query("alter table identity.account_elsewhere rename to account");

    await until(() => failuresTold.every((told) => system.output("identity").includes(told)));
    const logs = (["gateway", "identity", "organization", "apikey", "mailer"] as const).map(
      (service) => `${service}\n${system.output(service)}`,
    );
    expect(replies.length).toBeGreaterThan(offered.length * inputs.length);
    expect(replies.some((reply) => reply.startsWith("500"))).toBe(true);
    for (const log of logs) expect(log.length).toBeGreaterThan(100);
    const secrets = [...Object.values(canaries), ...Object.values(providerCanaries), ...ours];
    const found = [...findIn([...logs, ...replies], secrets), ...findIn(logs, [...carried])];
    expect([...new Set(found)]).toEqual([]);
  }, 240_000);
});
