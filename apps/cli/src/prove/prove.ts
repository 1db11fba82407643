import { randomBytes } from "node:crypto";
import { operations } from "@latchkey/contracts";
import { messageOf } from "../terminal/message-of.ts";
import { Refusal } from "../terminal/refusal.ts";
import { allChecks } from "./all-checks.ts";
import type { CheckClass, Result, Check } from "./check.ts";
import { cleanUp } from "./clean-up.ts";
import { describeAnswer } from "./done.ts";
import { createContext, type Measure, type CheckContext } from "./check-context.ts";
import { type Browser, createBrowser, madeUpAddress } from "./http/browser.ts";
import { type GatewayClient, openGatewayClient } from "./http/gateway-client.ts";
import { openKeyService } from "./key-service.ts";
import { prepareReceiver, type ReceiverPlace } from "./receiver/event-receiver.ts";
import type { Report } from "./report.ts";
import { type Admin, signInAdmin } from "./sign-in-admin.ts";
import { NotProven } from "./not-proven.ts";

const runOne = async (check: Check, context: CheckContext): Promise<Result> => {
  const base = { class: check.class, check: check.name };
  try {
    const { figures, problems } = await check.run(context);
    const isPassed = problems.length === 0;
    return {
      ...base,
      verdict: isPassed ? "passed" : "failed",
      figures,
      problems,
      remedy: isPassed ? "" : check.remedy,
    };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof NotProven)
      return { ...base, verdict: "not proven", figures: error.message, problems: [], remedy: "" };
    const problems = [messageOf(error)];
    return { ...base, verdict: "failed", figures: "", problems, remedy: check.remedy };
  }
};

interface RunOptions {
  checks: readonly Check[];
  only: readonly CheckClass[];
  /** Called with each result as it arrives. */
  onResult(result: Result): void;
}

/** Runs the checks in sequence, so that no check affects another. Ends early when interrupted. */
const runChecks = async (
  context: CheckContext,
  { checks, only, onResult }: RunOptions,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (const check of checks) {
    if (only.length > 0 && !only.includes(check.class)) continue;
    if (context.signal.aborted) break;
    try {
      const result = await runOne(check, context);
      results.push(result);
      onResult(result);
    } catch (error) {
      if (!context.signal.aborted) throw error;
    }
  }
  return results;
};

/** The arguments of a run. */
export interface ProveRequest {
  /** The addresses of the gateway's replicas, or of the load balancer. */
  urls: readonly URL[];
  admin: Admin | undefined;
  keys: { urls: readonly URL[]; token: string } | undefined;
  /** How the deployment reaches the receiver of events. By default, as a program on the same machine. */
  receiver: ReceiverPlace | undefined;
  /** The domain of all email addresses of the run. */
  domain: string;
  only: readonly CheckClass[];
  measure: Measure;
  signal: AbortSignal;
  onResult(result: Result): void;
}

const { gateway, identity } = operations;
/** The prefix of all names of every run. */
const tagPrefix = "prove-";
const tagBytes = 4;

/** Returns every option of the deployment if the admin may read them. */
const readOptions = async (
  admin: Browser | undefined,
): Promise<ReadonlyMap<string, unknown> | undefined> => {
  const answer = await admin?.ask(gateway.adminReadSettings);
  if (answer?.status !== 200) return undefined;
  return new Map(answer.body.options.map(({ name, value }) => [name, value]));
};

/** Returns whether the deployment believes a forwarded client address. Our session shows which address it recorded. */
const believesAddresses = async (admin: Browser | undefined): Promise<boolean> => {
  const claimed = madeUpAddress();
  const headers = { "x-forwarded-for": claimed };
  const answer = await admin?.ask(identity.listSessions, {}, { headers });
  const sessions = answer?.status === 200 ? answer.body : [];
  return sessions.some(({ ipAddress }) => ipAddress?.startsWith("2001:db8:"));
};

const answersAt = async (gatewayClient: GatewayClient): Promise<void> => {
  for (const [index, { url }] of gatewayClient.replicas.entries()) {
    const answer = await gatewayClient.send(index, {
      method: "GET",
      target: gateway.ok.path,
      headers: {},
    });
    const isLatchkey = (answer.body as { ok?: unknown } | undefined)?.ok === true;
    if (answer.status !== 429 && !isLatchkey)
      throw new Refusal(
        `no Latchkey answers at ${url.origin}${gatewayClient.basePath}: ${describeAnswer(answer)}.`,
      );
  }
};

const clean = async (
  gatewayClient: GatewayClient,
  admin: Browser | undefined,
  tag: string,
): Promise<Pick<Report, "removed" | "left">> => {
  if (!admin) return { removed: 0, left: [] };
  // A separate client, because an interruption aborts the requests of the other one.
  const cleaner = createBrowser({ gateway: gatewayClient, cookies: admin.cookies });
  const cleaned = await cleanUp(cleaner, tag).catch((error: unknown) => ({
    removed: 0,
    left: [`all whose name begins with ${tag} (${messageOf(error)})`],
  }));
  // A rate limit that takes too long ends the session later. The report is still printed.
  await cleaner.ask(identity.signOut).catch(() => {});
  return cleaned;
};

/** Tests the guarantees of a deployment as one of its clients, and removes everything that it created. */
export const prove = async (request: ProveRequest): Promise<Report> => {
  const { urls, measure, signal, keys: at, domain, only, onResult } = request;
  const tag = `${tagPrefix}${randomBytes(tagBytes).toString("hex")}`;
  const opened = openGatewayClient(urls, measure.callers);
  const keys = at && openKeyService({ ...at, callers: measure.callers });
  const receiver = prepareReceiver(request.receiver);
  try {
    await answersAt(opened);
    const first = request.admin && (await signInAdmin(opened, request.admin, signal));
    const options = await readOptions(first);
    const baseURL = options?.get("baseURL");
    const gatewayClient: GatewayClient = {
      ...opened,
      origin: typeof baseURL === "string" ? new URL(baseURL).origin : opened.origin,
      believesAddresses: await believesAddresses(first),
    };
    const admin =
      first && createBrowser({ gateway: gatewayClient, signal, cookies: first.cookies });
    try {
      const context = createContext({
        measure,
        gateway: gatewayClient,
        signal,
        domain,
        tag,
        admin,
        options,
        keys,
        receiver,
      });
      const results = await runChecks(context, { checks: allChecks, only, onResult });
      const { removed, left: remaining } = await clean(gatewayClient, admin, tag);
      const isFailed = results.some(({ verdict }) => verdict === "failed");
      const isInterrupted = signal.aborted;
      const ok = !isFailed && !isInterrupted && remaining.length === 0;
      const shown = urls.map((url) => url.href);
      return { ok, urls: shown, tag, results, isInterrupted, removed, left: remaining };
    } catch (error) {
      await clean(gatewayClient, admin, tag);
      throw error;
    }
  } finally {
    await receiver.close();
    opened.close();
    keys?.close();
  }
};
