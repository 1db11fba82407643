import { z } from "zod";
import { genericProviderOption, providerOption } from "./provider-option.ts";

const host = z
  .string()
  .regex(/^[a-z0-9.-]+(:\d{1,5})?$/i, "must be a host name")
  .transform((text) => text.toLowerCase());
const issuer = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

/** Providers that need only credentials, each with its own options. */
const knownProviders = {
  apple: providerOption({
    appBundleIdentifier: z
      .string()
      .min(1)
      .optional()
      .describe("Audience of the id tokens of a native app, instead of the client id."),
  }),
  atlassian: providerOption({}),
  cognito: providerOption({
    domain: host.describe("Host of the user pool's pages."),
    region: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .describe("Region of the user pool."),
    userPoolId: z
      .string()
      .regex(/^[\w-]+$/)
      .describe("Id of the user pool."),
    identityProvider: z.string().min(1).optional().describe("Redirects directly to this provider."),
  }),
  discord: providerOption({
    permissions: z
      .int()
      .min(0)
      .optional()
      .describe("Permissions that are requested with the scope `bot`."),
  }),
  dropbox: providerOption({
    accessType: z
      .enum(["offline", "online", "legacy"])
      .optional()
      .describe("`offline` requests a refresh token."),
  }),
  facebook: providerOption({
    fields: z.array(z.string().min(1)).default([]).describe("Additional fields of the profile."),
    configId: z.string().min(1).optional().describe("Configuration of Login for Business."),
  }),
  figma: providerOption({}),
  github: providerOption({}),
  gitlab: providerOption({
    issuer: issuer.default("https://gitlab.com").describe("URL of the GitLab instance."),
  }),
  google: providerOption({
    accessType: z
      .enum(["offline", "online"])
      .optional()
      .describe("`offline` requests a refresh token."),
    display: z.enum(["page", "popup", "touch", "wap"]).optional().describe("Layout of the page."),
    hd: z.string().min(1).optional().describe("Accepts only accounts of this Workspace domain."),
    includeGrantedScopes: z
      .boolean()
      .default(true)
      .describe("Includes the scopes that were granted earlier."),
    oneTap: z
      .boolean()
      .default(false)
      .describe("Signs in by One Tap: a token of Google that is at most 60 seconds old, once."),
  }),
  huggingface: providerOption({}),
  kakao: providerOption({}),
  kick: providerOption({}),
  line: providerOption({}),
  linear: providerOption({}),
  linkedin: providerOption({}),
  microsoft: providerOption({
    tenantId: z
      .string()
      .regex(/^[\w.-]+$/)
      .default("common")
      .describe("A tenant, or `common`, `organizations` or `consumers`."),
    authority: issuer
      .default("https://login.microsoftonline.com")
      .describe("URL of the sign-in service. National clouds have their own."),
    profilePhotoSize: z
      .union([48, 64, 96, 120, 240, 360, 432, 504, 648].map((size) => z.literal(size)))
      .default(48)
      .describe("Edge length of the profile photo, in pixels."),
    disableProfilePhoto: z.boolean().default(false).describe("Does not fetch the profile photo."),
  }),
  naver: providerOption({}),
  notion: providerOption({}),
  paybin: providerOption({
    issuer: issuer.default("https://idp.paybin.io").describe("URL of the provider."),
  }),
  paypal: providerOption({
    environment: z.enum(["sandbox", "live"]).default("sandbox").describe("PayPal environment."),
  }),
  polar: providerOption({}),
  railway: providerOption({}),
  reddit: providerOption({
    duration: z
      .enum(["temporary", "permanent"])
      .optional()
      .describe("`permanent` requests a refresh token."),
  }),
  roblox: providerOption({}),
  salesforce: providerOption({
    environment: z
      .enum(["production", "sandbox"])
      .default("production")
      .describe("Salesforce environment."),
    loginUrl: host.optional().describe("Host of your own domain."),
  }),
  slack: providerOption({}),
  spotify: providerOption({}),
  tiktok: providerOption({
    clientKey: z.string().min(1).optional().describe("TikTok's name for the client id."),
  }),
  twitch: providerOption({
    claims: z
      .array(z.string().min(1))
      .default(["email", "email_verified", "preferred_username", "picture"])
      .describe("Claims that are requested in the id token."),
  }),
  twitter: providerOption({}),
  vercel: providerOption({}),
  vk: providerOption({
    lang_id: z.string().min(1).optional().describe("Language of the page."),
    scheme: z.enum(["light", "dark"]).optional().describe("Colour scheme of the page."),
  }),
  wechat: providerOption({
    lang: z.enum(["cn", "en"]).default("cn").describe("Language of the page."),
  }),
  zoom: providerOption({
    pkce: z.boolean().default(true).describe("Sends a code challenge."),
  }),
} as const;

const idForm = /^[a-z][a-z0-9_-]{0,62}$/;

/** Ids with another meaning. */
const reserved = new Set(["credential"]);

/** Providers by id: those of the catalogue, and any other by its issuer or endpoints. */
export const socialProviderOptions = z
  .strictObject(knownProviders)
  .catchall(genericProviderOption)
  .superRefine((providers, context) => {
    for (const id of Object.keys(providers))
      if (!idForm.test(id) || reserved.has(id))
        context.addIssue({
          code: "custom",
          path: [id],
          message:
            "is not a valid provider id: use small letters, digits, `_` and `-`, starting with a letter",
        });
  })
  .prefault({});

export type KnownProviderId = keyof typeof knownProviders;
export type KnownProviderOptions<Id extends KnownProviderId> = NonNullable<
  z.output<(typeof knownProviders)[Id]>
>;
export type GenericProviderOptions = z.output<typeof genericProviderOption>;

type KnownProviders = z.input<z.ZodObject<typeof knownProviders>>;

/** The type for applications: each known id with its own options. The type of the schema does not allow those. */
export type SocialProvidersConfig = KnownProviders & {
  [id: string]: z.input<typeof genericProviderOption> | KnownProviders[keyof KnownProviders];
};

/** The ids of the catalogue, in alphabetical order. */
export const knownProviderIds = Object.keys(knownProviders) as KnownProviderId[];
