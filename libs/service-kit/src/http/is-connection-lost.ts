/** True when a request failed before any answer: it may be sent again if repeating it does no harm. */
export const isConnectionLost = (error: unknown): boolean =>
  ["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(
    String((error as { code?: unknown }).code),
  );
