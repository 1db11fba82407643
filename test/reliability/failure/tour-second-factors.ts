import { createSecretRing, decodeBase32, unseal } from "@latchkey/crypto";
import { until } from "@latchkey/testkit";
import { expect } from "vitest";
import { type BrowserLike, createBrowserLike } from "../../harness/browser-like.ts";
import type { openPool } from "../../harness/rows.ts";
import { appOf } from "../../harness/second-factor.ts";

/** The system with a password that its users have. */
export interface FactorTour {
  /** Base URL with the base path. */
  url: string;
  pool: ReturnType<typeof openPool>;
  /** The secrets of the installation. */
  secret: readonly string[];
  password: string;
  /** Keeps an answer. */
  keep: (answer: Response) => Promise<void>;
}

/** The secrets of second factors, links and codes. */
export interface FactorSecrets {
  /** The secret of an app in several forms, and links. Long enough to be looked for anywhere. */
  long: string[];
  /** The values that browsers keep, which are in answers to these browsers. */
  fromBrowsers: string[];
  /** Digits and backup codes, which other texts may contain by chance. */
  codes: string[];
}

/** A browser in which a sign-in waits for its second factor, and the right code. */
interface Holder {
  browser: BrowserLike;
  code: string;
}

interface MailData {
  email?: string;
  code?: string;
  url?: string;
}

/** Waits for the event of a mail to an address, and returns its data. Mails show their codes to nobody. */
const readMail = async (
  { pool, secret }: FactorTour,
  name: string,
  email: string,
): Promise<MailData> => {
  const ring = createSecretRing([...secret]);
  return until(async () => {
    const { rows } = await pool.query<{ data: string }>(
      "select data from identity.outbox where name = $1 order by occurred_at desc",
      [name],
    );
    return rows
      .map(({ data }) => JSON.parse(unseal(ring, "event", data) ?? "{}") as MailData)
      .find((data) => data.email === email);
  });
};

const post = async (
  { keep }: FactorTour,
  browser: BrowserLike,
  { path, body, status = 200 }: { path: string; body?: object; status?: number },
): Promise<Record<string, unknown>> => {
  const answer = await browser.post(path, body);
  const copy = answer.clone();
  await keep(answer);
  expect([path, copy.status]).toEqual([path, status]);
  return (await copy.json()) as Record<string, unknown>;
};

/** Signs a user up who turns an authenticator app on and trusts one browser, while another waits for the second factor. */
const useApp = async (tour: FactorTour, email: string, secrets: FactorSecrets) => {
  const { url, password } = tour;
  const browser = createBrowserLike(url);
  await browser.post("/sign-up/email", { name: "Ada", email, password });
  // The holder is shown the secret and the codes, so this answer is not kept.
  const enabled = await browser.post("/two-factor/enable", { password });
  const shown = (await enabled.json()) as { totpURI: string; backupCodes: string[] };
  const app = appOf(shown.totpURI, shown.backupCodes);
  const base32 = new URL(shown.totpURI).searchParams.get("secret") ?? "";
  const bytes = decodeBase32(base32) ?? Buffer.alloc(0);
  secrets.long.push(
    base32,
    ...(["hex", "base64", "base64url"] as const).map((form) => bytes.toString(form)),
  );
  const code = app.codeAt(0);
  await post(tour, browser, { path: "/two-factor/verify-totp", body: { code } });
  secrets.codes.push(
    code,
    ...app.backupCodes,
    ...app.backupCodes.map((one) => one.replace("-", "")),
  );

  const waiting = createBrowserLike(url);
  await post(tour, waiting, { path: "/sign-in/email", body: { email, password } });
  const wrong = { code: code === "00000000" ? "00000001" : "00000000" };
  for (const name of ["totp", "backup-code"])
    await post(tour, waiting, { path: `/two-factor/verify-${name}`, body: wrong, status: 401 });

  const trusted = createBrowserLike(url);
  await post(tour, trusted, { path: "/sign-in/email", body: { email, password } });
  const [backup] = app.backupCodes;
  const body = { code: backup, trustDevice: true };
  await post(tour, trusted, { path: "/two-factor/verify-backup-code", body });
  await tour.keep(await trusted.get("/two-factor/list-trusted-devices"));
  return { waiting, trusted, code: app.codeAt(1) };
};

/** Requests a code of each kind and a link, of which some are used and some not. */
const useMails = async (tour: FactorTour, email: string, secrets: FactorSecrets) => {
  const { url, password } = tour;
  const browser = createBrowserLike(url);
  await browser.post("/sign-up/email", { name: "Ada", email, password });
  await post(tour, browser, { path: "/two-factor/send-otp" });
  const second = await readMail(tour, "two-factor-code.requested", email);
  const linked = createBrowserLike(url);
  await post(tour, linked, { path: "/sign-in/magic-link", body: { email } });
  const link = await readMail(tour, "sign-in-link.requested", email);
  const coded = createBrowserLike(url);
  const request = { email, type: "sign-in" };
  await post(tour, coded, { path: "/email-otp/send-verification-otp", body: request });
  const first = await readMail(tour, "email-code.requested", email);
  secrets.codes.push(second.code ?? "", first.code ?? "");
  const token = new URL(link.url ?? "").searchParams.get("token") ?? "";
  secrets.long.push(link.url ?? "", token);
  return { browser, linked, coded, token, otp: first.code ?? "", code: second.code ?? "" };
};

/** Returns a value that a browser keeps, and those of its parts that work on their own. */
const partsOfCookie = (cookie: string): string[] => {
  const plain = decodeURIComponent(cookie);
  return [cookie, plain, ...plain.split(/[.:]/)].filter(({ length }) => length >= 16);
};

/**
 * Uses second factors, links and codes by mail and passkeys, and leaves a waiting sign-in, a trusted browser, an unused link, unused codes
 * and a challenge behind. Returns every secret of that, and a function that uses the rest.
 */
export const tourSecondFactors = async (
  tour: FactorTour,
): Promise<{ secrets: FactorSecrets; holder: Holder; finish: () => Promise<void> }> => {
  const secrets: FactorSecrets = { long: [], fromBrowsers: [], codes: [] };
  const email = "mails@example.com";
  const app = await useApp(tour, "app@example.com", secrets);
  const mails = await useMails(tour, email, secrets);
  const stranger = createBrowserLike(tour.url);
  const options = await stranger.get("/passkey/generate-authenticate-options");
  secrets.fromBrowsers.push(((await options.json()) as { challenge: string }).challenge);
  for (const { cookies } of [app.waiting, app.trusted, mails.linked, mails.coded, stranger])
    secrets.fromBrowsers.push(...[...cookies.values()].flatMap(partsOfCookie));
  const finish = async () => {
    const { code, otp, token } = mails;
    await post(tour, mails.browser, { path: "/two-factor/verify-otp", body: { code } });
    const link = { path: "/magic-link/verify", body: { token } };
    await post(tour, mails.linked, link);
    const entered = { path: "/sign-in/email-otp", body: { email, otp } };
    await post(tour, mails.coded, { ...entered, status: 400 });
    await post(tour, app.waiting, { path: "/two-factor/verify-totp", body: { code: app.code } });
  };
  return { secrets, holder: { browser: app.waiting, code: app.code }, finish };
};

/** Returns whether a text contains a code that is not a part of a longer word or number. */
export const containsCode = (text: string, code: string): boolean =>
  new RegExp(`(?<![0-9A-Za-z.+-])${code}(?![0-9A-Za-z.-])`).test(text);
