import {
  type Caller,
  type HookContext,
  type Operation,
  type OperationInput,
  type ValidationIssue,
  WireError,
} from "@latchkey/contracts";
import type { z } from "zod";
import { requireSession, type ResolvedSession, type SessionRules } from "./require-session.ts";
import { showAuthentication } from "./show-authentication.ts";

/** A request of a protocol, as it was sent. */
export interface ProtocolInput {
  /** With its `?`, or empty. */
  search: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | undefined;
}

interface OperationCall<O extends Operation> extends OperationInput<O> {
  caller: Caller;
  session: O["access"] extends "anyone" ? undefined : ResolvedSession;
}

/** One call of an operation. `session` is set if the operation requires one. */
export type Call<O extends Operation> = O["protocol"] extends string
  ? OperationCall<O> & { protocol: ProtocolInput }
  : OperationCall<O>;

/** The raw input, before validation. */
export interface Sent {
  params: unknown;
  query: Readonly<Record<string, unknown>>;
  /** Undefined without a body. */
  body: unknown;
  /** Set for an operation with `protocol`. */
  protocol?: ProtocolInput;
}

/** Returns the fields that failed a schema and the reasons, never the values. */
export const issuesOf = ({ issues }: z.ZodError): ValidationIssue[] =>
  issues.map(({ path, message }) => ({ path: path.join("."), message }));

const parseInput = (schema: z.ZodObject, value: unknown, part: "body" | "query"): object => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WireError("VALIDATION_ERROR", {
    message: `Invalid ${part} parameters`,
    issues: issuesOf(parsed.error),
  });
};

/** Returns the validated body, or undefined if there is none and it is optional. */
const parseBody = ({ body, bodyOptional }: Operation, sent: unknown): object | undefined =>
  body && !(bodyOptional && sent === undefined) ? parseInput(body, sent, "body") : undefined;

/** Builds the context for the application's hooks. `session` is the caller's, if the operation needs one. */
export const hookContext = (
  declared: Operation,
  caller: Caller,
  { query, body, session }: Pick<Sent, "body" | "query"> & { session: ResolvedSession | undefined },
): HookContext => ({
  path: declared.path,
  method: declared.method,
  query,
  body,
  address: caller.address,
  userAgent: caller.userAgent,
  ...(session?.authentication
    ? { authentication: showAuthentication(session.authentication) }
    : {}),
});

/**
 * Validates a call in the order that clients can observe: body, query and parameters by their schemas, then session, permission
 * and freshness.
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
      : await requireSession(declared, rules, { caller, query: sent.query, body });
  return { caller, params, query, body, session, protocol: sent.protocol } as Call<Operation>;
};
