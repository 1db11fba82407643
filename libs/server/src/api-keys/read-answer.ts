import { readText } from "../http/read-text.ts";
import { readVerdict } from "./read-verdict.ts";
import { readRetryAfter } from "../http/retry-after.ts";
import { unavailable } from "./unavailable.ts";
import type { Verification } from "./verification.ts";

const secondMilliseconds = 1_000;

const throttled = (headers: Headers): Verification => {
  const retryAfterMilliseconds = (readRetryAfter(headers) ?? 1) * secondMilliseconds;
  return { ok: false, reason: "throttled", retryAfterMilliseconds };
};

const complaints: Readonly<Record<number, string>> = {
  400: "The apikey service rejects the request (400): check the form of the permissions",
  403: "The apikey service rejects the service token (403): check the token",
};

/** Reads an answer of the service. Rejects only with the reason of an abort. */
export const readAnswer = async (
  response: Response,
  signal: AbortSignal,
): Promise<Verification> => {
  const { status, headers, body } = response;
  if (status !== 200) {
    body?.cancel().catch(() => {}); // the result does not depend on it
    if (status === 429) return throttled(headers);
    return unavailable(complaints[status] ?? `The apikey service answered ${status}`);
  }
  try {
    const verdict = readVerdict(JSON.parse(await readText(response)));
    return verdict ?? unavailable("The answer of the apikey service is not a verdict");
  } catch (error) {
    signal.throwIfAborted();
    return unavailable("The answer of the apikey service cannot be read", error);
  }
};
