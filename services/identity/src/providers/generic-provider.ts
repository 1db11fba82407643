import type { GenericProviderOptions } from "@latchkey/contracts";
import type { Outbound } from "@latchkey/service-kit/http";
import type { AuthorizationServer } from "oauth4webapi";
import { z } from "zod";
import { metadataNames } from "./metadata-names.ts";
import { defineProvider, type ProviderDefinition } from "./provider.ts";
import { type Answer, type Endpoints, asAnswer, type ProviderCall } from "./provider-call.ts";
import {
  asProviderError,
  ProviderError,
  fixedDefinition,
  type Provider,
} from "./provider-client.ts";

/** Returns the value at a dotted path of names. A name that itself contains dots takes precedence. */
const valueAt = (profile: Answer, path: string): unknown => {
  if (Object.hasOwn(profile, path)) return profile[path];
  return path.split(".").reduce<unknown>((value, name) => asAnswer(value)?.[name], profile);
};

const textAt = (profile: Answer, path: string): string | undefined => {
  const value = valueAt(profile, path);
  // A larger number has been rounded, so it may be the id of another user.
  return typeof value === "string" || Number.isSafeInteger(value) ? String(value) : undefined;
};

/** Some providers send it as text. */
const isTrue = (value: unknown) => value === true || value === "true";

/** Returns the id token's claims, extended by the userinfo response. Both must name the same subject. */
const readProfile = async ({
  claims,
  endpoints,
  ask,
}: ProviderCall): Promise<Answer | undefined> => {
  if (endpoints.userInfo === undefined) return claims;
  const said = await ask(endpoints.userInfo);
  if (!claims || !said) return said ?? claims;
  if (said["sub"] !== claims["sub"]) throw new ProviderError("userinfo is of another subject");
  return { ...claims, ...said };
};

const isDiscovered = ({ issuer, discoveryUrl, endpoints }: GenericProviderOptions): boolean =>
  discoveryUrl !== undefined ||
  (issuer !== undefined && !(endpoints.authorization && endpoints.token));

/** Builds a definition from the options and the provider's metadata, if there is any. */
const describe = (options: GenericProviderOptions, metadata: Partial<AuthorizationServer>) => {
  const discovered = Object.entries(metadataNames).map(([name, inMetadata]) => [
    name,
    metadata[inMetadata],
  ]);
  const all = [...discovered, ...Object.entries(options.endpoints)];
  const endpoints = Object.fromEntries(all.filter(([, url]) => url !== undefined));
  if (!endpoints["authorization"] || !endpoints["token"])
    throw new ProviderError("the provider's metadata names no endpoints");
  const methods = metadata.token_endpoint_auth_methods_supported;
  const takesBasic = methods === undefined || methods.includes("client_secret_basic");
  return {
    endpoints: endpoints as Endpoints,
    issuer: metadata.issuer ?? options.issuer,
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
    clientAuthentication: options.clientAuthentication ?? (takesBasic ? "basic" : "post"),
    algorithms: metadata.id_token_signing_alg_values_supported?.filter((alg) => alg !== "none"),
  } as const;
};

const define = (
  id: string,
  options: GenericProviderOptions,
  metadata: Partial<AuthorizationServer>,
): ProviderDefinition => {
  const { issuer, algorithms, ...described } = describe(options, metadata);
  const { profile: paths, authorizationParameters } = options;
  return defineProvider({
    name: options.name ?? id,
    ...described,
    ...(issuer === undefined ? {} : { issuer, nonce: true }),
    ...(issuer === undefined || described.endpoints.jwks === undefined
      ? {}
      : { clientIdToken: {} }),
    ...(algorithms?.length ? { algorithms } : {}),
    scopes: issuer === undefined ? [] : ["openid", "profile", "email"],
    scopeSeparator: options.scopeSeparator,
    pkce: options.pkce,
    loginHint: true,
    prompt: true,
    authorizationParameters,
    readProfile,
    profile: z.record(z.string(), z.unknown()),
    toUser: (profile) => {
      const userId = textAt(profile, paths.id);
      return userId === undefined
        ? undefined
        : {
            id: userId,
            name: textAt(profile, paths.name),
            email: textAt(profile, paths.email),
            image: textAt(profile, paths.image),
            emailVerified: isTrue(valueAt(profile, paths.emailVerified)),
          };
    },
  });
};

const freshMilliseconds = 3_600_000;
const retryMilliseconds = 60_000;
/** For this long after a failed first discovery, callers fail without waiting for another attempt. */
const failedMilliseconds = 10_000;

/**
 * Returns the definition of a generic provider. Fetches metadata on first use and then once an hour. Known metadata stays
 * in use while fetching fails.
 */
export const createGenericDefinition = (
  { outbound, clock }: { outbound: Outbound; clock: () => number },
  id: string,
  options: GenericProviderOptions,
): Pick<Provider, "define" | "known"> => {
  if (!isDiscovered(options)) return fixedDefinition(define(id, options, {}));
  const { issuer } = options;
  const named = issuer === undefined ? {} : { issuer };
  let cached: { definition: ProviderDefinition; until: number } | undefined;
  let failed: { error: ProviderError; until: number } | undefined;
  let asking: Promise<ProviderDefinition> | undefined;
  const discoverAnew = async () => {
    try {
      const { discover } = await import("./discover.ts");
      const definition = define(id, options, await discover(outbound, options));
      cached = { definition, until: clock() + freshMilliseconds };
    } catch (cause) {
      const error = asProviderError("the provider's metadata makes no sense", cause, {});
      if (!cached) {
        failed = { error, until: clock() + failedMilliseconds };
        throw error;
      }
      cached.until = clock() + retryMilliseconds;
    } finally {
      asking = undefined;
    }
    return cached.definition;
  };
  return {
    define: async () => {
      if (cached && cached.until > clock()) return cached.definition;
      if (!cached && failed && failed.until > clock()) throw failed.error;
      asking ??= discoverAnew();
      return asking;
    },
    known: () => cached?.definition ?? named,
  };
};
