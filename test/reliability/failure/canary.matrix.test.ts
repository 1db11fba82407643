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
import { containsCode, tourSecondFactors } from "./tour-second-factors.ts";
import {
  arrive,
  failuresTold,
  providerCanaries,
  providersAt,
  tourProviders,
} from "./tour-providers.ts";
import { matrix, matrixOnly, matrixValue } from "../../harness/matrix.ts";
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
  magicLink: { enabled: true },
  // Shorter codes are in other numbers by chance.
  emailOTP: { enabled: true, otpLength: 8 },
  twoFactor: { totpOptions: { digits: 8 as const }, otpOptions: { digits: 8 } },
  session: { cookieCache: { enabled: true } },
  rateLimit: { enabled: false },
});

const start = (stores: "postgres" | "own redis") =>
  startSystem({
    topology: "processes",
    stores,
    // Only the matrix runs it on Postgres. Hashing takes most of its time.
    ...(stores === "postgres" && { passwords: "real" as const }),
    config: config(),
    environment: {
      AUTH_SECRET: canaries.secret,
      SERVICE_TOKENS: `ops:${canaries.serviceToken}`,
      SMTP_URL: `smtp://latchkey:${canaries.smtpPassword}@127.0.0.1:9`,
      LOG_LEVEL: "trace",
    },
  });

type Sender = "nobody" | "person" | "admin";

/**
 * Bodies and queries that get past the first checks of most operations, and some that no schema accepts, with their senders. The
 * reply to a wrong type is the same for all, and so is that to an empty body.
 */
const inputs: readonly { by: readonly Sender[]; input: Record<string, unknown> }[] = [
  ...matrixOnly({ by: ["nobody", "person"], input: {} } as const),
  {
    by: ["nobody", "person", "admin"],
    input: {
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
  },
  {
    by: ["admin"],
    input: {
      email: 5,
      password: [canaries.password],
      newPassword: { a: canaries.newPassword },
      token: 7,
    },
  },
];

/** Operations refuse all other senders in the same way. */
const usualSenders: Record<Operation["access"], readonly Sender[]> = {
  anyone: ["nobody", "person"],
  session: ["person"],
  "fresh session": ["person"],
  permission: ["admin"],
};
const sendersOf = ({ access }: Operation, by: readonly Sender[]) =>
  by.filter((sender) => matrixValue(usualSenders[access], by).includes(sender));

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

  const send = async (
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

  /** Returns every list that an admin can read, and every mail. */
  const readAsAdmin = async (browser: BrowserLike): Promise<string[]> => {
    const email = `admin-${stores.replace(" ", "-")}@example.com`;
    await browser.post("/sign-in/email", { email, password: canaries.password });
    const read = async (path: string) => (await browser.get(path)).text();
    const lists = allOperations.filter(
      ({ access, method, path }) =>
        access === "permission" && method === "GET" && !path.includes("{"),
    );
    const texts: string[] = [];
    for (const { path } of lists) texts.push(`${path}\n${await read(path)}`);
    const { deliveries } = JSON.parse(await read("/admin/deliveries?limit=100")) as {
      deliveries: { id: string }[];
    };
    expect(deliveries.length).toBeGreaterThan(0);
    for (const { id } of deliveries) texts.push(await read(`/admin/deliveries/${id}`));
    return texts;
  };

  /** Returns the audit logs of the services that hold or mail codes. */
  const readAudit = async (): Promise<string[]> => {
    const texts: string[] = [];
    for (const schema of ["identity", "mailer"]) {
      const { rows } = await pool.query<{ text: string }>(
        `select t::text as text from ${schema}.audit t`,
      );
      expect(rows.length).toBeGreaterThan(0);
      texts.push(rows.map(({ text }) => text).join("\n"));
    }
    return texts;
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
      for (const [index, { by, input }] of inputs.entries()) {
        provider.respond = verdicts[index % verdicts.length]!; // the list is never empty
        const senders = sendersOf(operation, by);
        if (senders.includes("person")) {
          const session = await person.browser.get("/get-session?disableCookieCache=true");
          if ((await session.text()) === "null")
            person = await signUp(`p-${operation.name}-${index}@example.com`.toLowerCase());
        }
        const browsers = {
          nobody: createBrowserLike(system.url),
          person: person.browser,
          admin: adminBrowser,
        };
        for (const sender of senders)
          await send(browsers[sender], operation, { ...input, userId: victim.user.id });
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

    const factors = await tourSecondFactors({
      url: system.url,
      pool,
      secret: [canaries.secret],
      password: canaries.password,
      keep,
    });
    await pool.query("alter table identity.two_factor rename to two_factor_elsewhere");
    const { holder } = factors;
    await keep(await holder.browser.post("/two-factor/verify-totp", { code: holder.code }));
    await pool.query("alter table identity.two_factor_elsewhere rename to two_factor");
    await factors.finish();
    const seenByAdmin = await readAsAdmin(adminBrowser);
    const recorded = await readAudit();

    await until(() => failuresTold.every((event) => system.output("identity").includes(event)));
    const logs = (
      ["gateway", "identity", "organization", "apikey", "mailer", "webhooks"] as const
    ).map((service) => `${service}\n${system.output(service)}`);
    expect(replies.length).toBeGreaterThan(offered.length);
    expect(replies.some((reply) => reply.startsWith("500"))).toBe(true);
    for (const log of logs) expect(log.length).toBeGreaterThan(100);
    const secrets = [...Object.values(canaries), ...Object.values(providerCanaries), ...ours];
    const matches = [...findIn([...logs, ...replies], secrets), ...findIn(logs, [...carried])];
    expect([...new Set(matches)]).toEqual([]);
    const { long, fromBrowsers, codes } = factors.secrets;
    const records = [...logs, ...recorded, ...seenByAdmin];
    const leaked = [
      ...findIn([...records, ...replies], long),
      ...findIn(records, fromBrowsers),
      ...codes.filter((code) => [...records, ...replies].some((text) => containsCode(text, code))),
    ];
    expect([...new Set(leaked)]).toEqual([]);
  });
});
