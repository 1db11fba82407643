import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/ */
export const atlassian = () =>
  defineProvider({
    name: "Atlassian",
    endpoints: {
      authorization: "https://auth.atlassian.com/authorize",
      token: "https://auth.atlassian.com/oauth/token",
      userInfo: "https://api.atlassian.com/me",
    },
    scopes: ["read:jira-user", "offline_access"],
    pkce: true,
    prompt: true,
    authorizationParameters: { audience: "api.atlassian.com" },
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      account_id: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      picture: z.string().nullish(),
    }),
    toUser: ({ account_id: id, name, email, picture: image }) => ({
      id,
      name,
      email,
      image,
      emailVerified: false,
    }),
  });
