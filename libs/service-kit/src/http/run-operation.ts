import {
  type AdditionalFields,
  type Caller,
  type HookContext,
  type MailedLinkQuestion,
  type Operation,
  type OperationReply,
  type Options,
  type SessionEffect,
  sessionEffectHeader,
  WireError,
} from "@latchkey/contracts";
import { findHookSession } from "./find-hook-session.ts";
import { type Call, hookContext, readCall, type Sent } from "./read-call.ts";
import { createReplySerializer } from "./reply-serializer.ts";
import type { ResolvedSession, SessionRules } from "./require-session.ts";

interface AnswerExtras {
  effect?: SessionEffect | undefined;
  headers?: Record<string, string> | undefined;
}

/** A handler's result: the reply, or a redirect of the browser. */
export type Answer<Reply> =
  | ({ reply: Reply } & AnswerExtras)
  /** A posted form needs 303, so that the browser follows with a GET. */
  | ({ redirect: string; status?: 302 | 303 } & AnswerExtras);

/** The result of a mailed link that needs a confirmation before it acts. The gateway renders a page for it. */
export type LinkAnswer<Reply> = Answer<Reply> | ({ question: MailedLinkQuestion } & AnswerExtras);

/** The result of an operation with `servesFile`: bytes that are sent as they are. */
export type FileAnswer = { file: { contentType: string; bytes: Buffer } } & AnswerExtras;

/** The result of an operation with `protocol`, sent as it is. */
export type ProtocolAnswer = {
  protocol: { status: number; headers: Record<string, string>; body: string };
} & AnswerExtras;

/** Every result of a handler. */
export type AnyAnswer<Reply> = FileAnswer | LinkAnswer<Reply> | ProtocolAnswer;

/** Handlers for all operations. A missing or surplus one does not compile. */
export type Handlers<Owned extends Record<string, Operation>> = {
  [Name in keyof Owned]: (
    call: Call<Owned[Name]>,
  ) => Promise<AnyAnswer<OperationReply<Owned[Name]>>>;
};

/** Checks on an operation's raw body that run before all others. */
export type FirstChecks<Owned extends Record<string, Operation>> = {
  [Name in keyof Owned]?: (
    caller: Caller,
    sent: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
};

export type AnyHandler = (call: Call<Operation>) => Promise<AnyAnswer<unknown>>;

/** An operation with the functions that answer it. */
export interface Route {
  declared: Operation;
  handler: AnyHandler;
  first: FirstChecks<Record<string, Operation>>[string];
}

export interface RunOptions extends SessionRules {
  hooks: Options["hooks"];
  /** Returns headers that report a call's effects to the gateway. */
  headersFor?: (caller: Caller) => Record<string, string> | undefined;
  /** The configured additional fields, which replies include. */
  additionalFields?: AdditionalFields;
}

/** Receives the headers of an answer. They are kept if the request fails after they are set. */
export interface HeaderSink {
  header(name: string, value: string): unknown;
  headers(values: Record<string, string>): unknown;
}

/** An operation that can be run for an authenticated caller. */
export interface Runnable {
  declared: Operation;
  /** Whether a body is read at all. */
  readsBody: boolean;
  /** Returns the answer of the handler, or throws. */
  run(request: { caller: Caller; sent: Sent }, sink: HeaderSink): Promise<AnyAnswer<unknown>>;
  /** Writes a reply as JSON text, without undeclared members. */
  stringify(reply: unknown): string;
}

/** Encodes a value for a header between service and gateway. */
export const asHeader = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

const sendEffect = (sink: HeaderSink, effect: SessionEffect | undefined): void => {
  if (effect) sink.header(sessionEffectHeader, asHeader(effect));
};

/** Forwards the cookies of a refusal to the gateway and throws the refusal. */
const refuseWithEffect =
  (sink: HeaderSink) =>
  (error: unknown): never => {
    if (error instanceof WireError) sendEffect(sink, error.effect);
    throw error;
  };

const sendHeaders = (sink: HeaderSink, headers: Record<string, string> | undefined): void => {
  if (headers) sink.headers(headers);
};

const runAfterHook = async (
  hooks: Options["hooks"],
  context: HookContext & { returned: unknown },
  sink: HeaderSink,
): Promise<void> => {
  const added = await hooks.after?.(context);
  sendHeaders(sink, added?.headers);
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Creates the steps of an operation after the authentication of its caller. Order: application hook, first check, body and query schema
 * (400), session, freshness and permission (401, 403), handler. The reply passes a compiled serializer, so no undeclared member is sent.
 */
export const createRunnable = (
  { declared, handler, first }: Route,
  options: RunOptions,
): Runnable => {
  const { hooks } = options;
  return {
    declared,
    readsBody: !declared.protocol && Boolean(declared.body ?? first ?? hooks.before ?? hooks.after),
    stringify: createReplySerializer(declared, options.additionalFields),
    run: async ({ caller, sent }, sink) => {
      const context = (session: ResolvedSession | undefined) =>
        hookContext(declared, caller, { ...sent, session });
      if (hooks.before)
        await hooks.before(context(await findHookSession(declared, options, caller)));
      if (first && isRecord(sent.body)) await first(caller, sent.body);
      const call = await readCall(declared, { caller, sent }, options);
      const answer = await handler(call).catch(refuseWithEffect(sink));
      const session = call.session as ResolvedSession | undefined;
      sendEffect(sink, answer.effect ?? session?.effect);
      sendHeaders(sink, answer.headers);
      sendHeaders(sink, options.headersFor?.(caller));
      const returned = "reply" in answer ? answer.reply : undefined;
      if (hooks.after) await runAfterHook(hooks, { ...context(session), returned }, sink);
      return answer;
    },
  };
};
