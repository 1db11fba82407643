import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

const issuer = "https://accounts.google.com";

/** https://developers.google.com/identity/openid-connect/openid-connect */
export const google = (options: KnownProviderOptions<"google">) => {
  const { accessType, display, hd, includeGrantedScopes } = options;
  const isOfDomain = (claims: Record<string, unknown>) =>
    hd === undefined || (hd === "*" ? typeof claims["hd"] === "string" : claims["hd"] === hd); // requires a domain, whichever it is
  return defineProvider({
    name: "Google",
    issuer,
    endpoints: {
      authorization: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token",
      jwks: "https://www.googleapis.com/oauth2/v3/certs",
      revoke: "https://oauth2.googleapis.com/revoke",
    },
    scopes: ["email", "profile", "openid"],
    pkce: true,
    nonce: true,
    loginHint: true,
    prompt: true,
    authorizationParameters: {
      access_type: accessType,
      display,
      hd,
      ...(includeGrantedScopes ? { include_granted_scopes: "true" } : {}),
    },
    clientIdToken: {
      issuers: [issuer, "accounts.google.com"],
      maxAgeSeconds: 3_600,
      accepts: isOfDomain,
    },
    readProfile: async ({ claims }) => claims,
    profile: z.looseObject({
      sub: z.string(),
      name: z.string().optional(),
      email: z.string().optional(),
      email_verified: z.boolean().optional(),
      picture: z.string().optional(),
    }),
    toUser: (profile) =>
      isOfDomain(profile)
        ? {
            id: profile.sub,
            name: profile.name,
            email: profile.email,
            image: profile.picture,
            emailVerified: profile.email_verified === true,
          }
        : undefined, // in the request `hd` is only a hint
  });
};
