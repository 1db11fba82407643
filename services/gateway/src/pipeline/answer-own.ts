import { type Operation, operations } from "@latchkey/contracts";
import { sendJson } from "@latchkey/service-kit";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorPage, errorPagePolicy } from "../pages/error-page.ts";

const firstOf = (value: unknown): string =>
  String((Array.isArray(value) ? value[0] : value) || "Unknown");

/** Answers the operations that the gateway owns. */
export const answerOwn = (
  operation: Operation,
  request: FastifyRequest,
  { reply, appName }: { reply: FastifyReply; appName: string },
): FastifyReply => {
  if (operation.name === operations.gateway.ok.name) return sendJson(reply, '{"ok":true}');
  const { error } = request.query as { error?: unknown };
  return reply
    .header("content-type", "text/html; charset=utf-8")
    .header("content-security-policy", errorPagePolicy)
    .send(errorPage(appName, firstOf(error)));
};
