import { callerHeader } from "@latchkey/contracts";
import { type DestinationStream, type Logger, pino } from "pino";
import type { Tracing } from "./tracing.ts";

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
  // Postgres's `detail` quotes values of the row.
  "detail",
];

/** Headers that hold a secret. The first one can be renamed by an option. */
const secretHeaders = ["x-api-key", callerHeader];

const traceOf = ({ traceId }: Pick<Tracing, "traceId">) => {
  const id = traceId();
  return id === undefined ? {} : { trace_id: id };
};

/** Creates a logger of JSON lines with the service's name. Secrets are replaced by `[redacted]`. */
export const createLogger = ({ tracing, ...options }: LoggerOptions): Logger =>
  pino(
    {
      level: options.disabled ? "silent" : options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
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
