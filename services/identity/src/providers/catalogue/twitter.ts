import { z } from "zod";
import { placeholderEmail } from "../../users/email.ts";
import { defineProvider } from "../provider.ts";
import { asAnswer, type ProviderCall } from "../provider-call.ts";

/** Requests the confirmed address separately, because X rejects the whole request of an app that may not read it. */
const readProfile = async ({ endpoints, ask }: ProviderCall) => {
  const fetchField = (field: string) => {
    const url = new URL(endpoints.userInfo ?? "");
    url.searchParams.set("user.fields", field);
    return ask(url.href);
  };
  const user = await fetchField("profile_image_url");
  if (!user) return undefined;
  const email = await fetchField("confirmed_email");
  return { ...user, data: { ...asAnswer(email?.["data"]), ...asAnswer(user["data"]) } };
};

/** https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code */
export const twitter = () =>
  defineProvider({
    name: "Twitter",
    endpoints: {
      authorization: "https://x.com/i/oauth2/authorize",
      token: "https://api.x.com/2/oauth2/token",
      userInfo: "https://api.x.com/2/users/me",
      revoke: "https://api.x.com/2/oauth2/revoke",
    },
    clientAuthentication: "basic",
    scopes: ["users.read", "tweet.read", "offline.access", "users.email"],
    pkce: true,
    readProfile,
    profile: z.looseObject({
      data: z.looseObject({
        id: z.string(),
        name: z.string().nullish(),
        profile_image_url: z.string().nullish(),
        confirmed_email: z.string().nullish(),
      }),
    }),
    toUser: ({ data: { id, name, profile_image_url: image, confirmed_email: email } }) => ({
      id,
      name,
      email: email || placeholderEmail("twitter", id),
      image,
      emailVerified: Boolean(email),
    }),
  });
