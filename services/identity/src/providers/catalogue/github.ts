import { comparableEmail } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";
import type { ProviderCall } from "../provider-call.ts";
import { splitScopes } from "../authorization-url.ts";

const headers = { "user-agent": "latchkey" }; // GitHub rejects requests without a user agent

const emailEntry = z.looseObject({
  email: z.string(),
  primary: z.boolean().nullish(),
  verified: z.boolean().nullish(),
});

/** GitHub writes an address in the letter case in which its user typed it, which may differ between the two answers. */
const isSame = (entry: string, chosen: string | null | undefined): boolean =>
  typeof chosen === "string" && comparableEmail(entry) === comparableEmail(chosen);

const readEmails = async ({ endpoints, fetch }: ProviderCall): Promise<unknown> => {
  const answer = await fetch(endpoints.emails ?? "", { headers });
  return answer.ok ? answer.json() : [];
};

/** Returns the profile, with the user's addresses under `emails` if the token may read them. */
const readProfile = async (call: ProviderCall) => {
  const user = await call.ask(call.endpoints.userInfo ?? "", { headers });
  return user && { ...user, emails: await readEmails(call).catch(() => []) };
};

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github = () =>
  defineProvider({
    name: "GitHub",
    endpoints: {
      authorization: "https://github.com/login/oauth/authorize",
      token: "https://github.com/login/oauth/access_token",
      userInfo: "https://api.github.com/user",
      emails: "https://api.github.com/user/emails",
    },
    scopes: ["read:user", "user:email"],
    pkce: true,
    loginHint: true,
    prompt: true,
    tidyAnswer: splitScopes, // requests separate scopes by spaces, responses by commas
    readProfile,
    profile: z.looseObject({
      id: z.union([z.int(), z.string()]),
      login: z.string().nullish(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      avatar_url: z.string().nullish(),
      emails: z.array(emailEntry).catch([]),
    }),
    toUser: ({ id, login, name, email, avatar_url: image, emails }) => {
      const primary = emails.find((entry) => entry.primary === true) ?? emails[0];
      const chosen = email || primary?.email;
      return {
        id: String(id),
        name: name || login,
        email: chosen,
        image,
        emailVerified: emails.some(
          (entry) => isSame(entry.email, chosen) && entry.verified === true,
        ),
      };
    },
  });
