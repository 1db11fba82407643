import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";
import type { ProviderCall } from "../provider-call.ts";

const readProfile = ({ endpoints, tokens, clientIds, ask }: ProviderCall) =>
  ask(endpoints.userInfo ?? "", {
    method: "POST",
    headers: { authorization: "" },
    body: new URLSearchParams({
      access_token: tokens.accessToken ?? "",
      client_id: clientIds[0] ?? "",
    }),
  });

const user = z.looseObject({
  user_id: z.union([z.string(), z.int()]),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  email: z.string().nullish(),
  avatar: z.string().nullish(),
  birthday: z.string().optional().catch(undefined),
  sex: z.int().optional().catch(undefined),
});

/** Members for additional fields, under VK's own names. */
const toldOf = ({ first_name, last_name, birthday, sex }: z.output<typeof user>) =>
  Object.fromEntries(
    Object.entries({ first_name, last_name, birthday, sex }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  );

/** https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description */
export const vk = (options: KnownProviderOptions<"vk">) =>
  defineProvider({
    name: "VK",
    endpoints: {
      authorization: "https://id.vk.com/authorize",
      token: "https://id.vk.com/oauth2/auth",
      userInfo: "https://id.vk.com/oauth2/user_info",
    },
    scopes: ["email", "phone"],
    pkce: true,
    authorizationParameters: { lang_id: options.lang_id, scheme: options.scheme },
    // A code is valid only for the device that the callback names.
    adaptRequest: (request, { device_id: device }) => {
      if (device !== undefined) request.body.set("device_id", device);
      return request;
    },
    readProfile,
    profile: z.looseObject({ user }),
    toUser: ({ user: told }) =>
      told.email || options.mapProfileToUser
        ? {
            id: String(told.user_id),
            name: [told.first_name, told.last_name].filter(Boolean).join(" "),
            email: told.email,
            image: told.avatar,
            emailVerified: false, // its `verified` is about the person, not the address
            more: toldOf(told),
          }
        : undefined, // a user needs an address, which the application's own mapping may supply
  });
