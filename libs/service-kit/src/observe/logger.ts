import { callerHeader } from "@latchkey/contracts";
import { type DestinationStream, type Logger, pino } from "pino";
import type { Tracing } from "./tracing.ts";

/**
 * Members of an error that a log line may carry. Drivers attach whole commands, rows, mails and clients to errors. Examples
 * are the `command` of ioredis, the `detail` of Postgres and the `rejected` addresses of nodemailer. So only listed members are logged.
 */
const loggedMembers = [
  "code",
  "errno",
  "syscall",
  "address",
  "port",
  "hostname",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "routine",
  "status",
  "statusCode",
  "responseCode",
] as const;

const depthMax = 4;
const errorsMax = 5;
const redacted = "[redacted]";

const mailAddress = /[^\s@<>"'(),:;[\]]+@[^\s@<>"'(),:;[\]]+/g;
/** Redis quotes the arguments of a command that it does not know. */
const quotedArguments = /, with args beginning with:.*/s;
/** Credentials in a URL, and the query of one, which may be a token. */
const urlCredentials = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;
const urlQuery = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"']*)[?#][^\s"']*/gi;
const quotedText = /(["'`]).*\1/gs;
/** The quoted text of a message whose end was cut off. */
const openQuotedText = /["'`].*/s;

/** Whether a message quotes the value that it rejects: data errors of Postgres (class 22), and parsers and validators of Node. */
const quotesInput = (error: Error): boolean => {
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && (/^22\w{3}$/.test(code) || code.startsWith("ERR_INVALID_")))
    return true;
  return error instanceof SyntaxError || /\binvalid\b/i.test(error.message);
};

/** Drivers repeat their input, of any length, and the patterns above take quadratic time. */
const messageLengthMax = 2_000;

const redactMessage = (error: Error): string => {
  const isCut = error.message.length > messageLengthMax;
  const shortened = isCut
    ? error.message.slice(0, messageLengthMax).replace(/\S*$/, "…") // the last word may be half an address
    : error.message;
  const message = shortened
    .replace(urlCredentials, "$1")
    .replace(urlQuery, `$1?${redacted}`)
    .replace(mailAddress, redacted)
    .replace(quotedArguments, "");
  if (!quotesInput(error)) return message;
  return message.replace(isCut ? openQuotedText : quotedText, `"${redacted}"`);
};

/** The frames of a stack. Its first lines repeat the message. */
const framesOf = ({ stack = "" }: Error): string[] =>
  stack.split("\n").filter((line) => /^\s+at /.test(line));

const isLoggable = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && value.length <= 200);

/**
 * Returns what a log may say about an error: its class, its message without addresses and quoted input, its stack, its causes, and the
 * members in the list above. Anything thrown that is no error is described by its type alone.
 */
const serializeError = (error: unknown, depth = 0): object => {
  if (!(error instanceof Error)) return { type: typeof error };
  const message = redactMessage(error);
  const members = error as unknown as Record<string, unknown>;
  const { cause } = error;
  const { name } = error.constructor;
  return {
    type: name === "Error" ? error.name : name,
    message,
    stack: [`${error.name}: ${message}`, ...framesOf(error)].join("\n"),
    ...Object.fromEntries(
      loggedMembers.flatMap((member) =>
        isLoggable(members[member]) ? [[member, members[member]]] : [],
      ),
    ),
    ...(depth < depthMax && {
      ...(cause !== undefined && { cause: serializeError(cause, depth + 1) }),
      ...(error instanceof AggregateError && {
        errors: error.errors.slice(0, errorsMax).map((each) => serializeError(each, depth + 1)),
      }),
    }),
  };
};

export type { Logger } from "pino";

export interface LoggerOptions {
  service: string;
  level: string;
  /** Disables logging at all levels. */
  disabled?: boolean;
  /** Adds the trace id to log lines within a trace. */
  tracing?: Pick<Tracing, "traceId"> | undefined;
  destination?: DestinationStream;
}

/** Members that hold a secret, redacted up to two levels deep. */
const secretMembers = [
  "password",
  "newPassword",
  "currentPassword",
  "token",
  "sessionToken",
  "url",
  "link",
  "secret",
  "key",
  "authorization",
  "cookie",
  "html",
  "text",
];

/** Headers that hold a secret. The first one can be renamed by an option. */
const secretHeaders = ["x-api-key", "x-service-token", callerHeader];

const traceOf = ({ traceId }: Pick<Tracing, "traceId">) => {
  const id = traceId();
  return id === undefined ? {} : { trace_id: id };
};

const serializeErrors = (logged: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(logged).map(([member, value]) => [
      member,
      member === "err" || value instanceof Error ? serializeError(value) : value,
    ]),
  );

/**
 * Creates a logger of JSON lines with the service's name. Secrets are replaced by `[redacted]`, and an error under any name is
 * reduced to the members of `serializeError`.
 */
export const createLogger = ({ tracing, ...options }: LoggerOptions): Logger =>
  pino(
    {
      level: options.disabled ? "silent" : options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: serializeErrors },
      // Errors are plain objects by then. The default would take one with a message for an error.
      serializers: { err: (serialized: unknown) => serialized },
      ...(tracing && { mixin: () => traceOf(tracing) }),
      redact: {
        paths: [
          ...secretMembers.flatMap((member) => [member, `*.${member}`, `*.*.${member}`]),
          ...secretHeaders.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        ],
        censor: "[redacted]",
      },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
