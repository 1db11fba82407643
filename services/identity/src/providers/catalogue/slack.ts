import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://docs.slack.dev/authentication/sign-in-with-slack/ */
export const slack = () =>
  defineProvider({
    name: "Slack",
    issuer: "https://slack.com",
    endpoints: {
      authorization: "https://slack.com/openid/connect/authorize",
      token: "https://slack.com/api/openid.connect.token",
      userInfo: "https://slack.com/api/openid.connect.userInfo",
    },
    scopes: ["openid", "profile", "email"],
    requestedScopesFirst: true,
    pkce: false,
    nonce: true,
    // Errors have status 200.
    tidyAnswer: ({ ok, ...answer }) => (ok === false ? { error: answer["error"] } : answer),
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      ok: z.literal(true).optional(),
      "https://slack.com/user_id": z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.boolean().nullish(),
      picture: z.string().nullish(),
      "https://slack.com/user_image_512": z.string().nullish(),
    }),
    toUser: (profile) => ({
      id: profile["https://slack.com/user_id"],
      name: profile.name,
      email: profile.email,
      image: profile.picture || profile["https://slack.com/user_image_512"],
      emailVerified: profile.email_verified === true,
    }),
  });
