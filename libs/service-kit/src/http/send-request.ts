import type { Dispatcher, Pool } from "undici";

export interface SentAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Codes of a connection that was lost or never made, so that no answer can come any more. */
const lostConnections = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

const isConnectionLost = (error: unknown): boolean =>
  lostConnections.has(String((error as { code?: unknown }).code));

const sendOnce = async (pool: Pool, request: Dispatcher.RequestOptions): Promise<SentAnswer> => {
  const { statusCode, headers, body } = await pool.request(request);
  return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) };
};

/**
 * Sends a request to a service; the pool sets the deadlines. One that is `repeatable` is sent once more when the
 * connection broke; any other may have been carried out, so its failure is the caller's to see.
 */
export const sendRequest = async (
  pool: Pool,
  request: Dispatcher.RequestOptions,
  { repeatable }: { repeatable: boolean },
): Promise<SentAnswer> => {
  try {
    return await sendOnce(pool, request);
  } catch (error) {
    if (!repeatable || !isConnectionLost(error)) throw error;
    return sendOnce(pool, request);
  }
};
