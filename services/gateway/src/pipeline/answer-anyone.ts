import { type Operation, operations } from "@latchkey/contracts";
import { sendJson } from "@latchkey/service-kit";
import type { FastifyReply } from "fastify";
import type { Deps } from "../deps.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { errorPage, errorPagePolicy } from "../pages/error-page.ts";
import { webPath } from "../web/web-path.ts";
import { accountWeb } from "../web/webs.ts";
import type { Inbound } from "./read-inbound.ts";

const firstOf = (value: unknown): string => String((Array.isArray(value) ? value[0] : value) ?? "");

/** Returns the path of the account web. Undefined if it is not served. */
const accountPath = (config: Deps["config"]): string | undefined => {
  const account = webPath(accountWeb, config);
  return account && "path" in account ? account.path : undefined;
};

/** Returns the way on from an error: the application, or else the sign-in page of the account web. */
const homeOf = (config: Deps["config"]): string | undefined => {
  const path = accountPath(config);
  return config.appURLs[0] ?? (path === undefined ? undefined : `${path}/sign-in`);
};

/**
 * Shows the code of an error on a page. Without an application, the account web explains it, as it takes the place of all pages of links
 * without one. Programs get the plain page.
 */
const answerError = (
  config: Deps["config"],
  { request }: Inbound,
  reply: FastifyReply,
): FastifyReply => {
  const { error } = request.query as { error?: unknown };
  const code = firstOf(error);
  const path = config.appURLs.length === 0 ? accountPath(config) : undefined;
  const isRead = request.headers.accept?.includes("text/html") === true;
  if (isRead && path !== undefined)
    return reply.redirect(`${path}/error?${new URLSearchParams({ error: code }).toString()}`, 302);
  return reply
    .type("text/html; charset=utf-8")
    .headers(pageHeaders(errorPagePolicy))
    .send(errorPage(config.appName, code, homeOf(config)));
};

/** Answers the gateway's own public operations. */
export const answerAnyone = (
  { config, document }: Pick<Deps, "config" | "document">,
  { operation, inbound }: { operation: Operation; inbound: Inbound },
  reply: FastifyReply,
): FastifyReply => {
  const { ok, generateOpenApiSchema } = operations.gateway;
  if (operation.name === ok.name) return sendJson(reply, '{"ok":true}');
  if (operation.name === generateOpenApiSchema.name)
    return sendJson(reply, document(inbound.baseUrl.url));
  return answerError(config, inbound, reply);
};
