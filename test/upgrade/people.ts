import type { SmtpCatcher } from "@latchkey/testkit";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";

export const password = "correct horse battery";
export const serviceToken = "a service token for tests";

/** Where people come in, where services verify keys, and where mails arrive. */
export interface Doors {
  url: string;
  keyUrl: string;
  smtp: Pick<SmtpCatcher, "waitForMail">;
  send: (url: string, init: RequestInit) => Promise<Response>;
}

/** Somebody, with what was made for them. */
export interface Kept {
  email: string;
  slug: string;
  key: string;
}

/** What was asked, and that it was not done. */
export class Failed extends Error {}

const mailMs = 90_000;

const told = async <T>(what: string, asked: Promise<Response>): Promise<T> => {
  const answer = await asked.catch((error: unknown) => {
    throw new Failed(`${what}: ${String((error as Error).cause ?? error)}`);
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Failed(`${what}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
};

/** Whether a browser is somebody's. */
export const isWith = async (browser: BrowserLike, email: string): Promise<boolean> => {
  const got = await told<{ user: { email: string } } | null>(
    "get-session",
    browser.get("/get-session"),
  );
  return got?.user.email === email;
};

const verifyKey = async ({ keyUrl, send }: Doors, key: string): Promise<void> => {
  const headers = {
    authorization: `Bearer ${serviceToken}`,
    "content-type": "application/json",
  };
  const body = JSON.stringify({ key });
  const url = `${keyUrl}/internal/api-key/verify`;
  const verdict = await told<{ valid: boolean }>(
    "verify",
    send(url, { method: "POST", headers, body }),
  );
  if (!verdict.valid) throw new Failed("verify: the key is not valid");
};

const newBrowser = ({ url, send }: Doors) => createBrowserLike(`${url}/api/auth`, send);

/** A new person with a verified address. */
const join = async (doors: Doors, email: string): Promise<BrowserLike> => {
  const browser = newBrowser(doors);
  await told("sign-up", browser.post("/sign-up/email", { name: "Ada", email, password }));
  const isLink = (one: string) => one.includes("/verify-email");
  const { links } = await doors.smtp.waitForMail(
    (mail) => mail.to.includes(email) && mail.links.some(isLink),
    { timeoutMs: mailMs },
  );
  const link = links.find(isLink) ?? "";
  const { pathname, search } = new URL(link);
  const answer = await doors.send(doors.url + pathname + search, { redirect: "manual" });
  await answer.arrayBuffer();
  if (answer.status >= 400) throw new Failed(`verify-email: ${answer.status}`);
  return browser;
};

const found = async (browser: BrowserLike, slug: string): Promise<string> => {
  const made = await told<{ id: string }>(
    "organization",
    browser.post("/organization/create", { name: "House", slug }),
  );
  return made.id;
};

/** What is taken in by whom it was sent to. */
const invite = async (doors: Doors, host: BrowserLike, email: string): Promise<void> => {
  const { id: invitationId } = await told<{ id: string }>(
    "invite",
    host.post("/organization/invite-member", { email, role: "member" }),
  );
  const guest = await join(doors, email);
  await told("accept", guest.post("/organization/accept-invitation", { invitationId }));
};

/** All that a person does in a life: registers, founds an organization, invites, makes a key, goes and comes back. */
export const live = async (
  doors: Doors,
  name: string,
): Promise<Kept & { browser: BrowserLike }> => {
  const [email, slug] = [`${name}@example.com`, `house-${name}`];
  const browser = await join(doors, email);
  await told("update-user", browser.post("/update-user", { name: "Ada L." }));
  await found(browser, slug);
  await invite(doors, browser, `guest-of-${name}@example.com`);
  const { key } = await told<{ key: string }>(
    "key",
    browser.post("/api-key/create", { name: "Till" }),
  );
  await verifyKey(doors, key);
  await told("sign-out", browser.post("/sign-out"));
  await told("sign-in", browser.post("/sign-in/email", { email, password }));
  if (!(await isWith(browser, email))) throw new Failed("get-session: nobody");
  return { email, slug, key, browser };
};

/** Finds again what was made before, by whatever version, and changes it. */
export const comeBack = async (doors: Doors, { email, slug, key }: Kept): Promise<void> => {
  const browser = newBrowser(doors);
  await told("sign-in", browser.post("/sign-in/email", { email, password }));
  const organizations = await told<{ id: string; slug: string }[]>(
    "organizations",
    browser.get("/organization/list"),
  );
  const own = organizations.find((one) => one.slug === slug);
  if (!own) throw new Failed(`organizations: ${slug} is missing`);
  const whole = await told<{ members: unknown[] }>(
    "members",
    browser.get(`/organization/get-full-organization?organizationId=${own.id}`),
  );
  if (whole.members.length !== 2) throw new Failed(`members: ${whole.members.length}`);
  await told(
    "update",
    browser.post("/organization/update", { organizationId: own.id, data: { name: "Home" } }),
  );
  await verifyKey(doors, key);
  const keys = await told<unknown[]>("keys", browser.get("/api-key/list"));
  if (keys.length !== 1) throw new Failed(`keys: ${keys.length}`);
  await told("sign-out", browser.post("/sign-out"));
};
