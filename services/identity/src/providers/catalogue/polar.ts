import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://polar.sh/docs/integrate/oauth2/introduction */
export const polar = () =>
  defineProvider({
    name: "Polar",
    issuer: "https://polar.sh",
    endpoints: {
      authorization: "https://polar.sh/oauth2/authorize",
      token: "https://api.polar.sh/v1/oauth2/token",
      userInfo: "https://api.polar.sh/v1/oauth2/userinfo",
    },
    scopes: ["openid", "profile", "email"],
    pkce: true,
    // Polar stores it with the code and puts it into the token: https://github.com/polarsource/polar,
    // server/polar/oauth2/grants.
    nonce: true,
    prompt: true,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z
      .looseObject({
        id: z.string().nullish(),
        sub: z.string().nullish(),
        public_name: z.string().nullish(),
        username: z.string().nullish(),
        name: z.string().nullish(),
        email: z.string().nullish(),
        email_verified: z.boolean().nullish(),
        avatar_url: z.string().nullish(),
        picture: z.string().nullish(),
      })
      .refine(({ id, sub }) => id || sub),
    toUser: (profile) => ({
      id: profile.id || profile.sub || "",
      name: profile.public_name || profile.username || profile.name,
      email: profile.email,
      image: profile.avatar_url || profile.picture,
      emailVerified: profile.email_verified === true,
    }),
  });
