import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://vercel.com/docs/sign-in-with-vercel */
export const vercel = () =>
  defineProvider({
    name: "Vercel",
    issuer: "https://vercel.com",
    endpoints: {
      authorization: "https://vercel.com/oauth/authorize",
      token: "https://api.vercel.com/login/oauth/token",
      userInfo: "https://api.vercel.com/login/oauth/userinfo",
    },
    scopes: [],
    pkce: true,
    nonce: true,
    refreshes: false,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
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
