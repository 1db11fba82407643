/** Codes of Node, undici and Postgres for a remote side that is unavailable or full, as opposed to our own errors. */
const unavailableCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CLOSED",
  "UND_ERR_DESTROYED",
  "08000",
  "08001",
  "08004",
  "08003",
  "08006",
  "25006",
  "53100",
  "53200",
  "53300",
  "57P01",
  "57P02",
  "57P03",
]);

/**
 * Messages of drivers, poolers and servers without a code or with an unspecific one. PgBouncer reports an "invalid server parameter" if its
 * connection to the server ends while it applies a client's settings.
 */
const unavailableTexts = new RegExp(
  [
    "connection terminated",
    "connection error and is not queryable",
    "timeout exceeded when trying to connect",
    "query read timeout",
    "cannot use a pool after calling end",
    "server conn crashed",
    "server login (has been failing|failed)",
    "invalid server parameter",
    "query_wait_timeout",
    "no more connections allowed",
    "is not currently accepting connections",
    "connection is closed",
    "max retries per request",
    "command timed out",
    "command aborted due to connection close",
    "stream isn't writeable",
    "too many cluster redirections",
    "failed to refresh slots cache",
    "none of startup nodes is available",
    "cluster is ended",
    "max number of clients reached",
  ].join("|"),
  "i",
);

/**
 * Errors with which Redis refuses any client for now: it starts, fails over, is full (`OOM`), cannot save (`MISCONF`), lacks replicas
 * (`NOREPLICAS`), is blocked by a script (`BUSY`), or its password or rights were changed. Before Redis 7, an error of a command in a
 * script stands behind a dash in the error of the script.
 */
const redisRefusal =
  /(?:^|: -)(?:READONLY|LOADING|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|MOVED|ASK|OOM|MISCONF|NOREPLICAS|BUSY|NOAUTH|WRONGPASS|NOPERM) /;

/** Returns whether an error means that a store or service was unavailable, so that the caller may retry. */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, previousErrors } = error as { code?: unknown; previousErrors?: unknown };
  if (typeof code === "string" && unavailableCodes.has(code)) return true;
  if (unavailableTexts.test(error.message) || redisRefusal.test(error.message)) return true;
  // Redis discards a transaction (`EXECABORT`) because of the errors of its commands.
  if (Array.isArray(previousErrors)) return previousErrors.some(isUnavailable);
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return error.cause !== undefined && isUnavailable(error.cause);
};
