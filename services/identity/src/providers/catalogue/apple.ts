import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://developer.apple.com/documentation/signinwithapple/request-an-authorization-to-the-sign-in-with-apple-server */
export const apple = ({ appBundleIdentifier }: KnownProviderOptions<"apple">) =>
  defineProvider({
    name: "Apple",
    issuer: "https://appleid.apple.com",
    endpoints: {
      authorization: "https://appleid.apple.com/auth/authorize",
      token: "https://appleid.apple.com/auth/token",
      jwks: "https://appleid.apple.com/auth/keys",
      revoke: "https://appleid.apple.com/auth/revoke",
    },
    algorithms: ["RS256", "ES256"],
    scopes: ["email", "name"],
    pkce: true,
    nonce: "always",
    // The only mode that allows scopes. The response type stays `code`: the id token comes from the token endpoint.
    responseMode: "form_post",
    clientIdToken: {
      ...(appBundleIdentifier === undefined ? {} : { audiences: [appBundleIdentifier] }),
      maxAgeSeconds: 3_600,
      hashesNonce: true,
    },
    nameFallback: "", // the address may be a meaningless relay address
    readProfile: async ({ claims }) => claims,
    profile: z.looseObject({
      sub: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.union([z.boolean(), z.string()]).nullish(),
    }),
    toUser: ({ sub, name, email, email_verified: verified }, { givenName }) => ({
      id: sub,
      name: givenName || name,
      email,
      emailVerified: verified === true || verified === "true",
    }),
  });
