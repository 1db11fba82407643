import { randomBytes } from "node:crypto";
import { operations } from "@latchkey/contracts";
import { messageOf } from "../commands/message-of.ts";
import { Refusal } from "../commands/refusal.ts";
import { allChecks } from "./all-checks.ts";
import type { CheckClass, Result } from "./check.ts";
import { cleanUp } from "./clean-up.ts";
import { describeAnswer } from "./done.ts";
import { createGround, type Measure } from "./ground.ts";
import { type Browser, createBrowser, madeUpAddress } from "./http/browser.ts";
import { type Door, openDoor } from "./http/door.ts";
import { openKeyService } from "./key-service.ts";
import type { Report } from "./report.ts";
import { runChecks } from "./run-checks.ts";

/** What a run is told. */
export interface ProveRequest {
  /** Of the gateway's replicas, or of what stands before them. */
  urls: readonly URL[];
  admin: { email: string; password: string } | undefined;
  keys: { urls: readonly URL[]; token: string } | undefined;
  /** Below which all addresses of the run are. */
  domain: string;
  only: readonly CheckClass[];
  measure: Measure;
  signal: AbortSignal;
  onResult(result: Result): void;
}

const { gateway, identity } = operations;
/** What the names of every run begin with. */
const tagPrefix = "prove-";
const tagBytes = 4;

const signInAdmin = async (
  door: Door,
  { admin, signal }: ProveRequest,
): Promise<Browser | undefined> => {
  if (!admin) return undefined;
  const browser = createBrowser({ door, signal });
  const answer = await browser.ask(identity.signInEmail, { body: admin });
  if (answer.status !== 200)
    throw new Refusal(`${admin.email} could not sign in: ${describeAnswer(answer)}.`);
  return browser;
};

/** Every option as it counts there, if the admin may read that. */
const readOptions = async (
  admin: Browser | undefined,
): Promise<ReadonlyMap<string, unknown> | undefined> => {
  const answer = await admin?.ask(gateway.adminReadSettings);
  if (answer?.status !== 200) return undefined;
  return new Map(answer.body.options.map(({ name, value }) => [name, value]));
};

/** Whether the deployment takes the address that we say for that of the client: our session tells which it noted. */
const believesAddresses = async (admin: Browser | undefined): Promise<boolean> => {
  const claimed = madeUpAddress();
  const headers = { "x-forwarded-for": claimed };
  const answer = await admin?.ask(identity.listSessions, {}, { headers });
  const sessions = answer?.status === 200 ? answer.body : [];
  return sessions.some(({ ipAddress }) => ipAddress?.startsWith("2001:db8:"));
};

const answersAt = async (door: Door): Promise<void> => {
  for (const [index, { url }] of door.replicas.entries()) {
    const answer = await door.send(index, { method: "GET", target: gateway.ok.path, headers: {} });
    const isLatchkey = (answer.body as { ok?: unknown } | undefined)?.ok === true;
    if (answer.status !== 429 && !isLatchkey)
      throw new Refusal(
        `no Latchkey answers at ${url.origin}${door.basePath}: ${describeAnswer(answer)}.`,
      );
  }
};

const clean = async (
  door: Door,
  admin: Browser | undefined,
  tag: string,
): Promise<Pick<Report, "removed" | "left">> => {
  if (!admin) return { removed: 0, left: [] };
  // Of its own, since an interruption ends what the other one asks.
  const cleaner = createBrowser({ door, cookies: admin.cookies });
  const cleaned = await cleanUp(cleaner, tag).catch((error: unknown) => ({
    removed: 0,
    left: [`all whose name begins with ${tag} (${messageOf(error)})`],
  }));
  // A limit that has it wait too long ends its session later, which is no reason to tell nothing.
  await cleaner.ask(identity.signOut).catch(() => {});
  return cleaned;
};

/** Proves what can be proven of a deployment as one of its clients, and removes what it made there. */
export const prove = async (request: ProveRequest): Promise<Report> => {
  const { urls, measure, signal, keys: at, domain, only, onResult } = request;
  const tag = `${tagPrefix}${randomBytes(tagBytes).toString("hex")}`;
  const opened = openDoor(urls, measure.callers);
  const keys = at && openKeyService({ ...at, callers: measure.callers });
  try {
    await answersAt(opened);
    const first = await signInAdmin(opened, request);
    const options = await readOptions(first);
    const baseURL = options?.get("baseURL");
    const door: Door = {
      ...opened,
      origin: typeof baseURL === "string" ? new URL(baseURL).origin : opened.origin,
      believesAddresses: await believesAddresses(first),
    };
    const admin = first && createBrowser({ door, signal, cookies: first.cookies });
    try {
      const ground = createGround({ measure, door, signal, domain, tag, admin, options, keys });
      const results = await runChecks(ground, { checks: allChecks, only, onResult });
      const { removed, left } = await clean(door, admin, tag);
      const isFailed = results.some(({ verdict }) => verdict === "failed");
      const isInterrupted = signal.aborted;
      const ok = !isFailed && !isInterrupted && left.length === 0;
      const shown = urls.map((url) => url.href);
      return { ok, urls: shown, tag, results, isInterrupted, removed, left };
    } catch (error) {
      await clean(door, admin, tag);
      throw error;
    }
  } finally {
    opened.close();
    keys?.close();
  }
};
