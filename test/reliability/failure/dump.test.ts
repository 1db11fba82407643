import { createSecretRing, unseal } from "@latchkey/crypto";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../../harness/browser-like.ts";
import { followLink } from "../../harness/mailed-links.ts";
import { matrix } from "../../harness/matrix.ts";
import { type OAuthProvider, startOAuthProvider } from "../../harness/providers/oauth-provider.ts";
import type { ProcessSystem } from "../../harness/start-system.ts";
import { dumpPostgres, dumpRedis } from "./dump.ts";
import { containsCode, tourSecondFactors } from "./tour-second-factors.ts";
import {
  arrive,
  begin,
  comeBack,
  echo,
  type ProviderTour,
  providerCanaries,
  providersAt,
  sentByUs,
} from "./tour-providers.ts";
import { useSystem } from "../../harness/use-system.ts";
import { openPool } from "../../harness/rows.ts";

const email = "ada@example.com";
const password = "correct horse battery";
const staffPasswords = ["a password that staff chose", "another one that staff chose"];
const inFlight = ["grace@example.com", "mary@example.com"];

/** Requests for mails, by event. */
const mailed = [
  "verification.requested",
  "password-reset.requested",
  "account-deletion.requested",
  "email-change.requested",
  "sign-in-link.requested",
  "email-code.requested",
  "two-factor-code.requested",
];

/** The rows of sign-ins that are not finished, and of second factors. */
const factorTables = [
  "two_factor",
  "backup_code",
  "sign_in_challenge",
  "trusted_device",
  "two_factor_code",
  "mailed_code",
  "passkey_challenge",
];

/** Returns the links of the captured mails, which the mailer shows to the operator. */
const capturedLinks = (system: ProcessSystem): string[] =>
  system
    .output("mailer")
    .split("\n")
    .filter((line) => line.includes("captured mail"))
    .flatMap((line) => [...line.matchAll(/https?:\/\/[^\s"\\]+/g)].map(([link]) => link));

const secretMin = 16;

/** Returns a text and those of its parts that work as a credential on their own. */
const partsOf = (text: string): string[] => {
  const plain = decodeURIComponent(text);
  return [text, plain, ...plain.split(".")].filter((part) => part.length >= secretMin);
};

/** Returns a link and its token, which is in the query or at the end of the path. */
const secretsOfLink = (link: string): string[] => {
  const { pathname, searchParams } = new URL(link);
  return [link, ...partsOf(searchParams.get("token") ?? pathname.split("/").at(-1) ?? "")];
};

/** Returns the signature of a cached session. */
const signatureOf = (cookie: string): string => {
  const copy = JSON.parse(Buffer.from(decodeURIComponent(cookie), "base64url").toString()) as {
    signature: string;
  };
  return copy.signature;
};

/** Returns the secrets of an answer: cookies, tokens in headers, and the token of its body. */
const secretsOfAnswer = async (answer: Response, browser: BrowserLike): Promise<string[]> => {
  expect(answer.status).toBe(200);
  const body = (await answer.json()) as { token?: string } | null;
  const copy = browser.cookies.get("auth.session_data");
  return [
    ...browser.cookies.values(),
    answer.headers.get("set-auth-token") ?? "",
    answer.headers.get("set-auth-jwt") ?? "",
    body?.token ?? "",
    copy === undefined ? "" : signatureOf(copy),
  ].flatMap(partsOf);
};

/** Returns the forms in which a store or a library may keep a text. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString("hex"),
    bytes.toString("base64"),
    bytes.toString("base64url"),
  ];
};

const signIn = async (system: ProcessSystem, person: string) => {
  const browser = createBrowserLike(system.url);
  const secrets: string[] = [];
  for (const path of ["/sign-up/email", "/sign-in/email"]) {
    const answer = await browser.post(path, { name: "Ada", email: person, password });
    secrets.push(...(await secretsOfAnswer(answer, browser)));
  }
  return { browser, secrets };
};

/** Signs a user up and in, by cookie and by header, and gets signed tokens. Returns every secret from that. */
const makeSessions = async (system: ProcessSystem) => {
  const { browser, secrets } = await signIn(system, email);
  expect([...browser.cookies.keys()]).toEqual(["auth.session_token", "auth.session_data"]);
  for (const path of ["/token", "/get-session?disableCookieCache=true"])
    secrets.push(...(await secretsOfAnswer(await browser.get(path), browser)));
  expect(secrets.filter((secret) => secret.startsWith("eyJhbGciOi")).length).toBeGreaterThan(1);
  // Adds the encrypted tokens that a list decrypts, and the traces of an ended session.
  expect((await browser.get("/list-sessions")).status).toBe(200);
  expect((await browser.post("/revoke-other-sessions")).status).toBe(200);
  return { browser, secrets };
};

/**
 * Performs admin actions: creates a user with a password, sets another password, and impersonates the user while the own session
 * is kept aside.
 */
const actAsStaff = async (system: ProcessSystem, pool: ReturnType<typeof openPool>) => {
  const root = "root@example.com";
  const { secrets } = await signIn(system, root);
  await pool.query(`update identity."user" set role = 'admin' where email = $1`, [root]);
  const browser = createBrowserLike(system.url);
  await browser.post("/sign-in/email", { email: root, password });
  const [first, second] = staffPasswords;
  const somebody = { name: "Joan", email: "joan@example.com", password: first };
  const created = await browser.post("/admin/create-user", somebody);
  const { user } = (await created.json()) as { user: { id: string } };
  const change = { userId: user.id, newPassword: second };
  expect((await browser.post("/admin/set-user-password", change)).status).toBe(200);
  const acting = await browser.post("/admin/impersonate-user", { userId: user.id });
  secrets.push(...(await secretsOfAnswer(acting, browser)));
  expect([...browser.cookies.keys()]).toContain("auth.admin_session");
  return secrets;
};

/** Requests a mailed link of each kind that a user with a verified address can request. */
const requestLinks = async (browser: BrowserLike): Promise<void> => {
  const requests = [
    browser.post("/request-password-reset", { email, redirectTo: "/reset" }),
    browser.post("/delete-user", { callbackURL: "/bye" }),
    browser.post("/change-email", { newEmail: "ada@new.example", callbackURL: "/changed" }),
  ];
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200]);
};

/**
 * Stores tokens of a provider, some of which are still to be revoked, and begins a sign-in and a linking. Returns their secrets,
 * and a function that finishes both and returns theirs.
 */
const useProvider = async (tour: ProviderTour) => {
  const arriveAs = async (name: string): Promise<BrowserLike> => {
    const browser = createBrowserLike(tour.url);
    expect((await arrive(tour, browser, name)).headers.get("location")).toMatch(/^\/home/);
    return browser;
  };
  const [owner, other] = [await arriveAs("owner"), await arriveAs("other")];
  const late = createBrowserLike(tour.url);
  tour.provider.responses.revoke = echo;
  const unlinked = await other.post("/unlink-account", { providerId: "google" });
  expect(unlinked.status).toBe(200);
  const begun = [
    await begin(tour, { browser: late, id: "google" }),
    await begin(tour, { browser: owner, id: "google", path: "/link-social" }),
  ];
  const cookies = [owner, other, late].flatMap((browser) => Array.from(browser.cookies.values()));
  const finish = async (): Promise<string[]> => {
    const before = sentByUs(tour.provider).length;
    for (const one of begun) await comeBack(tour, one);
    const verifiers = sentByUs(tour.provider);
    expect(verifiers.length).toBe(before + begun.length);
    return [...verifiers, ...tour.carried];
  };
  return { secrets: [...Object.values(providerCanaries), ...cookies.flatMap(partsOf)], finish };
};

/** Returns the private members of the signing keys, which only identity can decrypt. */
const privateMembers = async (
  { settings }: ProcessSystem,
  pool: ReturnType<typeof openPool>,
): Promise<string[]> => {
  const { rows } = await pool.query<{ private_key: string }>(
    "select private_key from identity.signing_key",
  );
  const ring = createSecretRing(settings.options.secret);
  return rows.map(({ private_key: stored }) => {
    const key = JSON.parse(unseal(ring, "signing key", stored) ?? "") as { d: string };
    return key.d;
  });
};

describe.each(matrix("own redis", "postgres"))("with sessions and bus in %s", (stores) => {
  let pool: ReturnType<typeof openPool>;
  let provider: OAuthProvider;
  const { system } = useSystem(async () => {
    provider = await startOAuthProvider();
    return {
      topology: "processes",
      passwords: "real",
      stores,
      config: {
        ...providersAt(provider),
        // Mails are captured.
        mail: { smtpUrl: undefined },
        account: { accountLinking: { allowUnlinkingAll: true } },
        emailVerification: { sendOnSignUp: true },
        magicLink: { enabled: true },
        // Shorter codes are in other numbers by chance.
        emailOTP: { enabled: true, otpLength: 8 },
        twoFactor: { totpOptions: { digits: 8 }, otpOptions: { digits: 8 } },
        rateLimit: { enabled: false },
        session: { cookieCache: { enabled: true } },
        user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
      },
    };
  });
  beforeAll(async () => {
    pool = openPool(system.databaseUrl);
  });
  afterAll(async () => {
    await pool?.end();
    await provider?.stop();
  });

  const isHandedOver = async () => {
    const { rows } = await pool.query("select 1 from identity.outbox where published_at is null");
    return rows.length === 0;
  };

  const dumpStores = async () => {
    const tables = await dumpPostgres(pool);
    const redis = system.redis ? await dumpRedis(system.redis.url) : undefined;
    return { tables, redis, bus: redis ?? tables.get("bus.job") };
  };

  const waitForLinks = async (count: number): Promise<string[]> => {
    await until(() => capturedLinks(system).length === count, { timeoutMs: 120_000 });
    return capturedLinks(system);
  };

  /** Attack: signing in with data of a stolen backup, a replica or a log of a store. */
  test("a dump of every store holds no password, token, cookie, link, code, second factor or private key", async () => {
    const { browser, secrets } = await makeSessions(system);
    secrets.push(...system.settings.options.secret, password, ...staffPasswords);
    const [verification = ""] = await waitForLinks(1);
    expect((await followLink(verification, { browser })).status).toBe(302);
    secrets.push(...(await actAsStaff(system, pool)));
    await requestLinks(browser);
    secrets.push(...(await waitForLinks(5)).flatMap(secretsOfLink));
    const keep = async () => {};
    const social = await useProvider({ url: system.url, provider, keep, carried: new Set() });
    secrets.push(...social.secrets);
    // A row of the outbox goes when the bus has confirmed it, which may be long before the end.
    const early = await dumpStores();
    const { secret } = system.settings.options;
    // The mails of this tour may have left the outbox and the bus before the end.
    const between: { outbox: string | undefined; bus: string | undefined }[] = [];
    const factors = await tourSecondFactors({
      url: system.url,
      pool,
      secret,
      password,
      keep: async () => {
        const now = await dumpStores();
        between.push({ outbox: now.tables.get("identity.outbox"), bus: now.bus });
      },
    });
    secrets.push(...factors.secrets.long, ...factors.secrets.fromBrowsers);
    await waitForLinks(5 + 3); // the verifications of two users, and a sign-in link
    await system.kill("mailer");
    await requestLinks(browser);
    for (const address of inFlight) secrets.push(...(await signIn(system, address)).secrets);
    await until(isHandedOver);

    const { tables, redis, bus } = await dumpStores();
    await system.start("mailer");
    secrets.push(...(await waitForLinks(3 + inFlight.length)).flatMap(secretsOfLink));
    const keys = await privateMembers(system, pool);
    secrets.push(...keys, ...(await social.finish()));

    // Confirms that the dump is complete.
    expect(tables.get("identity.user")).toContain(email);
    expect(tables.get("mailer.delivery")).toContain(email);
    expect(tables.get("identity.verification")).toContain("reset-password:");
    expect(tables.get("identity.verification")).toContain("delete-account-");
    expect(tables.get("identity.verification")).toContain("verify-email:");
    expect(tables.get("identity.verification")).toContain("sign-in-state:");
    expect(tables.get("identity.verification")).toContain("magic-link:");
    for (const table of factorTables) expect(tables.get(`identity.${table}`)).not.toBe("");
    expect(tables.get("identity.account")).toContain("v1.");
    expect(tables.get("identity.signing_key")).toContain("v1.");
    expect(keys.length).toBeGreaterThan(0);
    expect([...tables.keys()].map((table) => table.split(".")[0])).toContain("gateway");
    const outboxes = [tables.get("identity.outbox"), ...between.map(({ outbox }) => outbox)].join();
    const buses = [bus, ...between.map((one) => one.bus)].join();
    for (const name of mailed) {
      expect(outboxes).toContain(name);
      expect(buses).toContain(name);
    }
    expect(early.tables.get("identity.outbox")).toContain("account.unlinked");
    expect(early.bus).toContain("account.unlinked");
    expect(bus).toContain("v1."); // contains the encrypted payloads
    if (redis === undefined) expect(tables.get("identity.session")).toContain("v1.");
    else expect(redis).toContain(`"tokenSealed":"v1.`);
    if (redis !== undefined) expect(redis).toContain(email);

    expect(secrets.filter((secret) => secret.length < secretMin)).toEqual([]);
    const dump = [
      ...early.tables,
      ...tables,
      ["Redis", (early.redis ?? "") + (redis ?? "")] as const,
      ["outbox during the tour", outboxes] as const,
      ["bus during the tour", buses] as const,
    ];
    const leaks = dump.flatMap(([place, text]) =>
      secrets
        .filter((secret) => formsOf(secret).some((form) => text.includes(form)))
        .map((secret) => `${place} holds ${secret}`),
    );
    expect(leaks).toEqual([]);
    const codes = dump.flatMap(([place, text]) =>
      factors.secrets.codes
        .filter((code) => containsCode(text, code))
        .map((code) => `${place} holds the code ${code}`),
    );
    expect(codes).toEqual([]);
    await factors.finish(); // shows that these were the secrets
    // Nor the start of any signed token, the path of any link, or any private key member.
    const all = dump.map(([, text]) => text).join("\n");
    expect(all).not.toMatch(/eyJhbGciOi/);
    expect(all).not.toMatch(/verify-email\?|reset-password\/|delete-user/);
    expect(all).not.toMatch(/"d"\s*:/);
  });
});
