import { defineProvider } from "../provider.ts";
import { standardProfile, standardUser } from "../standard-profile.ts";

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
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: standardProfile,
    toUser: standardUser,
  });
