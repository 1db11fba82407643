import type { SmtpCatcher } from "@latchkey/testkit";
import { type BrowserLike, createBrowserLike } from "../../harness/browser-like.ts";

export const password = "correct horse battery";
export const serviceToken = "a service token for tests";

/** The addresses of the gateway, of key verification, and of the mail catcher. */
export interface Addresses {
  url: string;
  keyUrl: string;
  smtp: Pick<SmtpCatcher, "waitForMail">;
  send: (url: string, init: RequestInit) => Promise<Response>;
}

/** A user and the data created for that user. */
export interface Kept {
  email: string;
  slug: string;
  key: string;
}

/** A request that failed. */
export class Failed extends Error {}

const mailMs = 90_000;

const readReply = async <T>(what: string, request: Promise<Response>): Promise<T> => {
  const answer = await request.catch((error: unknown) => {
    throw new Failed(`${what}: ${String((error as Error).cause ?? error)}`);
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Failed(`${what}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
};

/** Whether a browser is signed in as this user. */
export const isWith = async (browser: BrowserLike, email: string): Promise<boolean> => {
  const got = await readReply<{ user: { email: string } } | null>(
    "get-session",
    browser.get("/get-session"),
  );
  return got?.user.email === email;
};

const verifyKey = async ({ keyUrl, send }: Addresses, key: string): Promise<void> => {
  const headers = {
    authorization: `Bearer ${serviceToken}`,
    "content-type": "application/json",
  };
  const body = JSON.stringify({ key });
  const url = `${keyUrl}/internal/api-key/verify`;
  const verdict = await readReply<{ valid: boolean }>(
    "verify",
    send(url, { method: "POST", headers, body }),
  );
  if (!verdict.valid) throw new Failed("verify: the key is not valid");
};

const newBrowser = ({ url, send }: Addresses) => createBrowserLike(`${url}/api/auth`, send);

/** Creates a user with a verified address. */
const join = async (addresses: Addresses, email: string): Promise<BrowserLike> => {
  const browser = newBrowser(addresses);
  await readReply("sign-up", browser.post("/sign-up/email", { name: "Ada", email, password }));
  const isLink = (one: string) => one.includes("/verify-email");
  const { links } = await addresses.smtp.waitForMail(
    (mail) => mail.to.includes(email) && mail.links.some(isLink),
    { timeoutMs: mailMs },
  );
  const link = links.find(isLink) ?? "";
  const { pathname, search } = new URL(link);
  const answer = await browser.get(pathname.slice("/api/auth".length) + search);
  await answer.arrayBuffer();
  if (answer.status >= 400) throw new Failed(`verify-email: ${answer.status}`);
  return browser;
};

const createOrganization = async (browser: BrowserLike, slug: string): Promise<string> => {
  const made = await readReply<{ id: string }>(
    "organization",
    browser.post("/organization/create", { name: "System", slug }),
  );
  return made.id;
};

/** Invites a user, who accepts the invitation from the mail. */
const invite = async (addresses: Addresses, host: BrowserLike, email: string): Promise<void> => {
  const { id: invitationId } = await readReply<{ id: string }>(
    "invite",
    host.post("/organization/invite-member", { email, role: "member" }),
  );
  const guest = await join(addresses, email);
  const accept = (id: string) =>
    guest.post("/organization/accept-invitation", { invitationId: id });
  const answer = await accept(invitationId);
  const isUnknown = answer.status === 400 && (await answer.clone().text()).includes("NOT_FOUND");
  // The previous release knows an invitation only by its row's id, which it accepts as a proof (ADR 43).
  await readReply(
    "accept",
    isUnknown ? accept(invitationId.slice(0, 32)) : Promise.resolve(answer),
  );
};

/** Runs a user's whole life cycle: signs up, creates an organization, invites a member, creates a key, signs out and in again. */
export const live = async (
  addresses: Addresses,
  name: string,
): Promise<Kept & { browser: BrowserLike }> => {
  const [email, slug] = [`${name}@example.com`, `house-${name}`];
  const browser = await join(addresses, email);
  await readReply("update-user", browser.post("/update-user", { name: "Ada L." }));
  await createOrganization(browser, slug);
  await invite(addresses, browser, `guest-of-${name}@example.com`);
  const { key } = await readReply<{ key: string }>(
    "key",
    browser.post("/api-key/create", { name: "Till" }),
  );
  await verifyKey(addresses, key);
  await readReply("sign-out", browser.post("/sign-out"));
  await readReply("sign-in", browser.post("/sign-in/email", { email, password }));
  if (!(await isWith(browser, email))) throw new Failed("get-session: nobody");
  return { email, slug, key, browser };
};

/** Checks and changes the data of an existing user, created by any version. */
export const comeBack = async (addresses: Addresses, { email, slug, key }: Kept): Promise<void> => {
  const browser = newBrowser(addresses);
  await readReply("sign-in", browser.post("/sign-in/email", { email, password }));
  const organizations = await readReply<{ id: string; slug: string }[]>(
    "organizations",
    browser.get("/organization/list"),
  );
  const own = organizations.find((one) => one.slug === slug);
  if (!own) throw new Failed(`organizations: ${slug} is missing`);
  const whole = await readReply<{ members: unknown[] }>(
    "members",
    browser.get(`/organization/get-full-organization?organizationId=${own.id}`),
  );
  if (whole.members.length !== 2) throw new Failed(`members: ${whole.members.length}`);
  await readReply(
    "update",
    browser.post("/organization/update", { organizationId: own.id, data: { name: "Home" } }),
  );
  await verifyKey(addresses, key);
  const keys = await readReply<unknown[]>("keys", browser.get("/api-key/list"));
  if (keys.length !== 1) throw new Failed(`keys: ${keys.length}`);
  await readReply("sign-out", browser.post("/sign-out"));
};
