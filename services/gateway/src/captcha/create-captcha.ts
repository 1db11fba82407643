import { allOperations, type Operation, WireError } from "@latchkey/contracts";
import type { Logger } from "@latchkey/service-kit";
import { Pool } from "undici";
import { canonicalAddress } from "../address/canonical-address.ts";
import type { GatewayConfig } from "../config.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { headerOf, type Inbound } from "../pipeline/read-inbound.ts";
import { captchaUrl } from "./captcha-request.ts";
import { verifyCaptcha } from "./verify-captcha.ts";

/** Has some operations answer only to who solved a captcha. */
export interface Captcha {
  isNeededFor: (operation: Operation) => boolean;
  /** Throws the refusal of a request whose captcha is missing, not solved or not to be verified. */
  check: (inbound: Inbound) => Promise<void>;
  close: () => Promise<void>;
}

const defaultEndpoints = [
  "/sign-up/email",
  "/sign-in/email",
  "/forget-password",
  "/request-password-reset",
];
const deadlineMilliseconds = 5_000;
const answerBytesMax = 64 * 1024;
const connectionsMax = 128;

const createProviderPool = (url: URL): Pool =>
  new Pool(url.origin, {
    connections: connectionsMax,
    connectTimeout: deadlineMilliseconds,
    maxResponseSize: answerBytesMax,
  });

/** The operations' paths; one that is none would protect nothing, which somebody should know. */
const readEndpoints = (configured: readonly string[], logger: Logger): ReadonlySet<string> => {
  if (configured.length === 0) return new Set(defaultEndpoints);
  const endpoints = configured.map((path) => canonicalPath(path) ?? path);
  const offered = allOperations.filter(({ exposure }) => exposure === "public");
  for (const path of endpoints)
    if (!offered.some((declared) => declared.path === path))
      logger.error({ path }, "captcha.endpoints names a path of no operation");
  return new Set(endpoints);
};

/** Undefined while the feature is off. */
export const createCaptcha = (
  { captcha, advanced }: Pick<GatewayConfig, "captcha" | "advanced">,
  logger: Logger,
): Captcha | undefined => {
  if (!captcha.enabled) return undefined;
  const endpoints = readEndpoints(captcha.endpoints, logger);
  const pool = createProviderPool(captchaUrl(captcha));
  const { disableIpTracking } = advanced.ipAddress;

  const addressOf = ({ request, address }: Inbound): string | undefined =>
    canonicalAddress(headerOf(request, "x-captcha-user-remote-ip") ?? "") ??
    (disableIpTracking ? undefined : address);

  return {
    isNeededFor: ({ path }) => endpoints.has(path),
    check: async (inbound) => {
      const { request } = inbound;
      const token = headerOf(request, "x-captcha-response");
      if (!token) throw new WireError("MISSING_CAPTCHA_RESPONSE");
      const verdict = await verifyCaptcha(
        { captcha, pool, deadlineMilliseconds },
        { token, address: addressOf(inbound) },
      );
      if (verdict === "secret refused")
        request.log.error({ reqId: request.id }, "the captcha provider refuses captcha.secretKey");
      if (verdict !== "passed") throw new WireError("CAPTCHA_VERIFICATION_FAILED");
    },
    close: () => pool.close(),
  };
};
