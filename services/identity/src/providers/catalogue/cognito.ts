import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html */
export const cognito = (options: KnownProviderOptions<"cognito">) => {
  const { domain, region, userPoolId, identityProvider } = options;
  const issuer = `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`;
  return defineProvider({
    name: "Cognito",
    issuer,
    endpoints: {
      authorization: `https://${domain}/oauth2/authorize`,
      token: `https://${domain}/oauth2/token`,
      userInfo: `https://${domain}/oauth2/userInfo`, // its paths are case-sensitive
      jwks: `${issuer}/.well-known/jwks.json`,
      revoke: `https://${domain}/oauth2/revoke`,
    },
    scopes: ["openid", "profile", "email"],
    pkce: true,
    nonce: true,
    authorizationParameters: { identity_provider: identityProvider },
    clientIdToken: { maxAgeSeconds: 3_600 },
    readProfile: async ({ claims, endpoints, ask }) => claims ?? ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      sub: z.string(),
      name: z.string().nullish(),
      given_name: z.string().nullish(),
      username: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.union([z.boolean(), z.string()]).nullish(), // a text in userinfo responses
      picture: z.string().nullish(),
    }),
    toUser: (profile) => ({
      id: profile.sub,
      name: profile.name || profile.given_name || profile.username,
      email: profile.email,
      image: profile.picture,
      emailVerified: String(profile.email_verified) === "true",
    }),
  });
};
