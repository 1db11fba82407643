import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../check-context.ts";
import { describeAnswer } from "../../done.ts";
import { internalNames, internalURLs } from "../../hostile-places.ts";
import type { Answer } from "../../http/connections.ts";
import {
  requestWebhook,
  awaitAttempts,
  isRefusedURL,
  removeWebhook,
  sendTestEvent,
  unusedURL,
  withWebhook,
} from "../../webhooks.ts";

const { webhooks } = operations;
const machine = "http://127.0.0.1:1/";
const ownHosts = ["localhost", "127.0.0.1", "[::1]"];

const isRefused = (answer: Answer): boolean =>
  isRefusedURL(answer) ||
  (answer.body as { code?: unknown } | undefined)?.code === "VALIDATION_ERROR";

/** Asks for a webhook, and removes it at once if it was created. */
const tryToMake = async (context: CheckContext, url: string): Promise<Answer> => {
  const answer = await requestWebhook(context, url);
  if (answer.status === 200) await removeWebhook(context, answer.body);
  return answer;
};

/** Outside production, receivers on the own machine are allowed. An installation for others has an https base URL. */
const allowedHosts = async (
  context: CheckContext,
): Promise<{ hosts: readonly string[]; problems: string[] }> => {
  if (isRefused(await tryToMake(context, machine))) return { hosts: [], problems: [] };
  const baseURL = context.option("baseURL");
  const isForOthers = typeof baseURL === "string" && baseURL.startsWith("https:");
  return isForOthers
    ? { hosts: [], problems: [`a webhook to ${machine} was created: set NODE_ENV=production`] }
    : { hosts: ownHosts, problems: [] };
};

/** Attack: a webhook sends to a metadata service, a database or an admin page of the deployment's network. */
export const hostileURLs: Check = {
  class: "webhooks",
  name: "no webhook can have an internal address, a plain or a foreign protocol",
  remedy:
    "Webhooks reach your network. Set NODE_ENV=production, check advanced.outbound.privateHosts, and update Latchkey.",
  run: async (context) =>
    withWebhook(context, unusedURL, async ({ id }) => {
      const { hosts, problems } = await allowedHosts(context);
      const tried = internalURLs.filter((url) => !hosts.includes(URL.parse(url)?.hostname ?? ""));
      for (const url of tried) {
        const made = await tryToMake(context, url);
        if (!isRefused(made))
          problems.push(`a new webhook to ${url} was answered ${describeAnswer(made)}`);
        const input = { params: { id }, body: { url } };
        const moved = await context.admin().ask(webhooks.adminUpdateWebhook, input);
        if (!isRefused(moved))
          problems.push(`a change of a webhook to ${url} was answered ${describeAnswer(moved)}`);
      }
      const own = hosts.length > 0 ? "; this machine is allowed, as outside production" : "";
      return { figures: `${tried.length} URLs for new and existing webhooks${own}`, problems };
    }),
};

/** Sends a test event to a name. Returns the problem, if a server answered. */
const tryName = async (
  context: CheckContext,
  name: string,
): Promise<"refused" | "without an answer" | { problem: string }> => {
  const url = `https://${name}/`;
  if (isRefused(await tryToMake(context, url))) return "refused";
  return withWebhook(context, url, async (webhook) => {
    const sent = await sendTestEvent(context, webhook);
    const { attempts } = await awaitAttempts(context, sent, 1);
    const status = attempts.find((attempt) => attempt.status !== null)?.status;
    if (status !== undefined) return { problem: `${name} answered ${status} to a webhook` };
    return attempts.some(({ error }) => error?.includes("not allowed"))
      ? "refused"
      : "without an answer";
  });
};

/** Attack: a name that resolves to an internal address. It is known only when a delivery is sent. */
export const internalHosts: Check = {
  class: "webhooks",
  name: "no internal name answers a webhook",
  remedy: "Webhooks reach your network by names. Update Latchkey.",
  run: async (context) => {
    const tried = internalNames.map((name) => tryName(context, name));
    // No request may still be in flight when its webhook is removed.
    await Promise.allSettled(tried);
    const outcomes = await Promise.all(tried);
    const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
    return {
      figures: `${internalNames.length} names: ${count("refused")} refused, ${count("without an answer")} unknown or silent`,
      problems: outcomes.flatMap((each) => (typeof each === "string" ? [] : [each.problem])),
    };
  },
};
