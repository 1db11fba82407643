import {
  type Caller,
  type HookContext,
  type Operation,
  type OperationInput,
  WireError,
} from "@latchkey/contracts";
import type { z } from "zod";
import { requireSession, type ResolvedSession, type SessionRules } from "./require-session.ts";

/** One call of an operation. `session` is there whenever the operation asks for one. */
export interface Call<O extends Operation> extends OperationInput<O> {
  caller: Caller;
  session: O["access"] extends "anyone" ? undefined : ResolvedSession;
}

/** What was sent, before it is checked. */
export interface Sent {
  params: unknown;
  query: Readonly<Record<string, unknown>>;
  /** Undefined where there is none. */
  body: unknown;
}

const parseInput = (schema: z.ZodObject, value: unknown, part: "body" | "query"): unknown => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WireError("VALIDATION_ERROR", {
    message: `Invalid ${part} parameters`,
    issues: parsed.error.issues.map((issue) => ({
      path: issue.path.join("."),
      message: issue.message,
    })),
  });
};

/** The body of an operation that takes one; undefined where there is none and there need not be. */
const parseBody = ({ body, bodyOptional }: Operation, sent: unknown): unknown =>
  body && !(bodyOptional && sent === undefined) ? parseInput(body, sent, "body") : undefined;

/** What the application's hooks are told of a request. */
export const hookContext = (
  declared: Operation,
  caller: Caller,
  { query, body }: Pick<Sent, "body" | "query">,
): HookContext => ({
  path: declared.path,
  method: declared.method,
  query,
  body,
  address: caller.address,
  userAgent: caller.userAgent,
});

/**
 * A call of an operation, checked in the order that clients can see: body, query and parameters by their schemas, then session,
 * permission and freshness.
 */
export const readCall = async (
  declared: Operation,
  { caller, sent }: { caller: Caller; sent: Sent },
  rules: SessionRules,
): Promise<Call<Operation>> => {
  const body = parseBody(declared, sent.body);
  const query = declared.query && parseInput(declared.query, sent.query, "query");
  const params = declared.params && parseInput(declared.params, sent.params, "query");
  const session =
    declared.access === "anyone"
      ? undefined
      : await requireSession(declared, rules, { caller, query: sent.query });
  return { caller, params, query, body, session } as Call<Operation>;
};
