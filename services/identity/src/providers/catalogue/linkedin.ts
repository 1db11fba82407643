import { z } from "zod";
import { defineProvider } from "../provider.ts";
import { splitScopes } from "../authorization-url.ts";

/** https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
export const linkedin = () =>
  defineProvider({
    name: "LinkedIn",
    issuer: "https://www.linkedin.com/oauth",
    endpoints: {
      authorization: "https://www.linkedin.com/oauth/v2/authorization",
      token: "https://www.linkedin.com/oauth/v2/accessToken",
      userInfo: "https://api.linkedin.com/v2/userinfo",
    },
    scopes: ["profile", "email", "openid"],
    pkce: false, // refused to apps that are not registered for it; its id tokens contain no nonce
    loginHint: true,
    // Requests separate scopes by spaces, responses by commas.
    tidyAnswer: splitScopes,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      sub: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.union([z.boolean(), z.string()]).nullish(),
      picture: z.string().nullish(),
    }),
    toUser: (profile) => ({
      id: profile.sub,
      name: profile.name,
      email: profile.email,
      image: profile.picture,
      emailVerified: String(profile.email_verified) === "true", // some responses contain a text
    }),
  });
