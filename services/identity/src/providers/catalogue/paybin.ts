import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://paybin.io */
export const paybin = ({ issuer }: KnownProviderOptions<"paybin">) => {
  const base = issuer.replace(/\/+$/, "");
  return defineProvider({
    name: "Paybin",
    issuer,
    endpoints: {
      authorization: `${base}/oauth2/authorize`,
      token: `${base}/oauth2/token`,
    },
    scopes: ["openid", "email", "profile"],
    pkce: true,
    nonce: true,
    loginHint: true,
    prompt: true,
    readProfile: async ({ claims }) => claims,
    profile: z.looseObject({
      sub: z.string(),
      name: z.string().nullish(),
      preferred_username: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.boolean().nullish(),
      picture: z.string().nullish(),
    }),
    toUser: (profile) => ({
      id: profile.sub,
      name: profile.name || profile.preferred_username,
      email: profile.email,
      image: profile.picture,
      emailVerified: profile.email_verified === true,
    }),
  });
};
