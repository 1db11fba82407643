import { z } from "zod";
import { pageUrl, section } from "./option.ts";

export const oauthProxyOptions = section({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Previews with changing addresses sign users in at providers, which know the callback address of one installation only.",
    ),
  productionURL: pageUrl
    .optional()
    .describe(
      "Only in a preview: the base URL of that installation with its base path, such as https://auth.example.com/api/auth.",
    ),
  previewOrigins: z
    .array(z.string().min(1))
    .default([])
    .describe(
      "Only in that installation: origins of its previews, as exact ones or patterns like those of `trustedOrigins`. Responses of providers are forwarded to no others.",
    ),
  secret: z
    .string()
    .min(32, "must have at least 32 characters")
    .optional()
    .describe(
      "Secret that the installation shares with its previews, and uses for nothing else. (OAUTH_PROXY_SECRET)",
    )
    .meta({ secret: "whole" }),
});
