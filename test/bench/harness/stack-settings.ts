import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings, type Settings } from "@latchkey/service-kit/config";
import { anyPort } from "../../harness/any-port.ts";

/** Stores and options of a stack. */
export interface StackInput {
  databaseUrl: string;
  /** Without it, sessions are in Postgres. */
  redis?: { url: string; keyPrefix: string };
  /** The gateway answers from cookies. */
  cookieCache?: boolean;
  /** Turns second factors, passkeys, and links and codes by mail all on or all off. Otherwise the defaults apply. */
  signInFeatures?: boolean;
  /** Organizations make roles of their own. */
  ownRoles?: boolean;
}

/** Signs cookies in the load generator and in the system. */
export const benchSecret = "a secret for benchmarks, and for nothing else";

/** Service token for internal operations. */
export const benchToken = "a service token for benchmarks";

/** The origin of the page that uses passkeys. */
export const passkeyOrigin = "http://localhost:3000";

const signInOptions = (enabled: boolean): LatchkeyConfig => ({
  twoFactor: { enabled },
  passkey: { enabled, origin: passkeyOrigin },
  emailVerification: { sendOnSignUp: false },
  magicLink: { enabled },
  emailOTP: { enabled },
});

/** Default settings on free ports, without rate limits. */
export const stackSettings = ({
  databaseUrl,
  redis,
  cookieCache = false,
  signInFeatures,
  ownRoles = false,
}: StackInput): Settings =>
  readSettings(
    {
      secret: [benchSecret],
      databaseUrl,
      ...(redis ? { redisUrl: redis.url } : {}),
      serviceTokens: { bench: benchToken },
      rateLimit: { enabled: false },
      ...(signInFeatures === undefined
        ? { passkey: { origin: passkeyOrigin } }
        : signInOptions(signInFeatures)),
      session: { cookieCache: { enabled: cookieCache } },
      organization: { dynamicAccessControl: { enabled: ownRoles } },
      logger: { level: "warn" },
      advanced: redis ? { redisKeyPrefix: redis.keyPrefix } : {},
    },
    anyPort,
  );
