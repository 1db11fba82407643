import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://huggingface.co/docs/hub/oauth */
export const huggingface = () =>
  defineProvider({
    name: "Hugging Face",
    issuer: "https://huggingface.co",
    endpoints: {
      authorization: "https://huggingface.co/oauth/authorize",
      token: "https://huggingface.co/oauth/token",
      userInfo: "https://huggingface.co/oauth/userinfo",
    },
    scopes: ["openid", "profile", "email"],
    pkce: true,
    nonce: true,
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
