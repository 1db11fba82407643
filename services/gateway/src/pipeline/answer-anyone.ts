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

/** Returns the way on from an error: the application, or else the sign-in page of the account web. */
const homeOf = (config: Deps["config"]): string | undefined => {
  const account = webPath(accountWeb, config);
  const signIn = account && "path" in account ? `${account.path}/sign-in` : undefined;
  return config.appURLs[0] ?? signIn;
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
  const { error } = inbound.request.query as { error?: unknown };
  return reply
    .type("text/html; charset=utf-8")
    .headers(pageHeaders(errorPagePolicy))
    .send(errorPage(config.appName, firstOf(error), homeOf(config)));
};
