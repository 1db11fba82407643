import { type Operation, WireError } from "@latchkey/contracts";
import { type Logger, type Metrics, registerCounter } from "@latchkey/service-kit/observe";
import type { Pool } from "undici";
import { addressKey, canonicalAddress } from "@latchkey/service-kit/http";
import type { GatewayConfig } from "../config.ts";
import { headerOf, type Inbound } from "../http/read-inbound.ts";
import { captchaPaths, isOperationPath } from "./captcha-paths.ts";
import { type CaptchaResponse, captchaUrl } from "./captcha-request.ts";
import type { CaptchaVerdict } from "./captcha-verdict.ts";
import { verifyCaptcha } from "./verify-captcha.ts";

/** Requires a solved captcha for some operations. */
export interface Captcha {
  isNeededFor: (operation: Operation) => boolean;
  /** Throws the error of a request whose captcha is missing, not solved, or cannot be verified. */
  check: (inbound: Inbound) => Promise<void>;
  close: () => Promise<void>;
}

const deadlineMilliseconds = 5_000;
const answerBytesMax = 64 * 1024;
const retryAfterSeconds = 1;
/** Concurrent calls. Further ones are refused instead of queued, so that a slow provider cannot make sign-ins wait for each other. */
export const callsMax = 128;

/** Calls at once for one client address, so that its junk answers cannot use up the calls of others. */
export const callsPerAddressMax = 8;

/** Separate connections, so that a slow provider cannot slow down any other call. The client is loaded only for captchas. */
const openProviderPool = async (url: URL): Promise<Pool> => {
  const { Pool } = await import("undici");
  return new Pool(url.origin, {
    connections: callsMax,
    connectTimeout: deadlineMilliseconds,
    maxResponseSize: answerBytesMax,
  });
};

/** Logs configured paths without an operation, because they protect nothing. */
const readEndpoints = (captcha: GatewayConfig["captcha"], logger: Logger): ReadonlySet<string> => {
  const paths = captchaPaths(captcha);
  for (const path of paths)
    if (!isOperationPath(path))
      logger.error({ path }, "captcha.endpoints contains a path without an operation");
  return new Set(paths);
};

type Verify = (response: CaptchaResponse) => Promise<CaptchaVerdict>;

/** Makes at most `callsMax` calls at once, `callsPerAddressMax` of one client, and counts the outcome of each captcha. */
const createVerifier = (call: Verify, count: (outcome: string) => void) => {
  let calls = 0;
  const callsOf = new Map<string, number>();
  return async (response: CaptchaResponse, client: string): Promise<CaptchaVerdict> => {
    const own = callsOf.get(client) ?? 0;
    if (calls === callsMax || own === callsPerAddressMax) {
      count("busy");
      throw new WireError("SOMETHING_WENT_WRONG", {
        retryAfterSeconds,
        cause: new Error(
          `${calls} calls to the captcha provider are running, ${own} for this client`,
        ),
      });
    }
    calls += 1;
    callsOf.set(client, own + 1);
    try {
      const verdict = await call(response);
      count(verdict);
      return verdict;
    } catch (error) {
      count("unavailable");
      throw error;
    } finally {
      calls -= 1;
      const remainingCalls = (callsOf.get(client) ?? 1) - 1;
      if (remainingCalls === 0) callsOf.delete(client);
      else callsOf.set(client, remainingCalls);
    }
  };
};

/** Undefined while the feature is off. */
export const createCaptcha = (
  { captcha, advanced }: Pick<GatewayConfig, "captcha" | "advanced">,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): Captcha | undefined => {
  const outcomes = registerCounter(metrics, {
    name: "captchas_total",
    help: "Captchas by outcome",
    labels: ["outcome"],
  });
  const count = (outcome: string) => outcomes.inc({ outcome });
  if (!captcha.enabled) return undefined;
  const endpoints = readEndpoints(captcha, logger);
  const opened = openProviderPool(captchaUrl(captcha));
  const verify = createVerifier(
    async (response) =>
      verifyCaptcha({ captcha, pool: await opened, deadlineMilliseconds }, response),
    count,
  );
  const { disableIpTracking } = advanced.ipAddress;

  const addressOf = ({ request, address }: Inbound): string | undefined =>
    canonicalAddress(headerOf(request, "x-captcha-user-remote-ip") ?? "") ??
    (disableIpTracking ? undefined : address);

  return {
    isNeededFor: ({ path }) => endpoints.has(path),
    check: async (inbound) => {
      const { request } = inbound;
      const token = headerOf(request, "x-captcha-response");
      if (!token) {
        count("missing");
        throw new WireError("MISSING_CAPTCHA_RESPONSE");
      }
      const response = { token, address: addressOf(inbound) };
      const verdict = await verify(response, addressKey(inbound.address));
      if (verdict === "secret refused")
        request.log.error({ reqId: request.id }, "the captcha provider rejects captcha.secretKey");
      if (verdict !== "passed") throw new WireError("CAPTCHA_VERIFICATION_FAILED");
    },
    close: async () => (await opened).close(),
  };
};
