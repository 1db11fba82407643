import { z } from "zod";
import { functionOption } from "./option.ts";

/** Tokens from a token endpoint, or from a client with an id token. Times are absent if the provider sent none. */
export interface ProviderTokens {
  tokenType?: string | undefined;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  idToken?: string | undefined;
  accessTokenExpiresAt?: Date | undefined;
  refreshTokenExpiresAt?: Date | undefined;
  /** The granted scopes. Absent if the provider sent none. */
  scopes?: string[] | undefined;
}

/** A user at a provider. `id` is the provider's, as text. */
export interface ProviderUser {
  id: string;
  name?: string | null | undefined;
  email?: string | null | undefined;
  image?: string | null | undefined;
  emailVerified?: boolean | undefined;
}

/** The profile of a user, as the provider sends it. */
export type ProviderProfile = Record<string, unknown>;

/** Members of the user that is created from a profile: built-in ones and additional fields. */
export type MappedUser = Partial<Omit<ProviderUser, "id">> & Record<string, unknown>;

type Mapper = (profile: ProviderProfile) => MappedUser | Promise<MappedUser>;
type UserInfoReader = (
  tokens: ProviderTokens,
) =>
  | { user: ProviderUser & Record<string, unknown>; data: ProviderProfile }
  | null
  | Promise<{ user: ProviderUser & Record<string, unknown>; data: ProviderProfile } | null>;

const absoluteUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

const endpointNames = [
  "authorization",
  "token",
  "refresh",
  "userInfo",
  "emails",
  "photo",
  "jwks",
  "tokenInfo",
  "revoke",
] as const;
export type EndpointName = (typeof endpointNames)[number];

const endpoints = z
  .strictObject(
    Object.fromEntries(endpointNames.map((name) => [name, absoluteUrl.optional()])) as Record<
      EndpointName,
      z.ZodOptional<typeof absoluteUrl>
    >,
  )
  .prefault({} as never)
  .describe(
    `URLs that replace the provider's own endpoints: ${endpointNames.map((name) => `\`${name}\``).join(", ")}.`,
  );

const clientId = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .describe(
    "Client id. The first of a list starts sign-ins; id tokens are accepted for any of them.",
  );

const signInShape = {
  enabled: z.boolean().default(true).describe("If off, the provider does not exist."),
  scope: z
    .array(z.string().min(1))
    .default([])
    .describe("Scopes that are requested in addition to the default ones."),
  disableDefaultScope: z.boolean().default(false).describe("Requests no default scopes."),
  redirectURI: absoluteUrl
    .optional()
    .describe("Callback URL at the provider. By default `{base}/callback/{id}`."),
  prompt: z
    .enum(["select_account", "consent", "login", "none", "select_account+consent"])
    .optional()
    .describe("Prompt that the provider shows to users who are already signed in there."),
  responseMode: z
    .enum(["query", "form_post"])
    .optional()
    .describe("How the provider returns its response to the browser."),
  disableIdTokenSignIn: z.boolean().default(false).describe("Refuses id tokens from clients."),
  disableSignUp: z
    .boolean()
    .default(false)
    .describe("Refuses new users. Existing ones can sign in."),
  disableImplicitSignUp: z
    .boolean()
    .default(false)
    .describe("Creates new users only if the client sends `requestSignUp`."),
  overrideUserInfoOnSignIn: z
    .boolean()
    .default(false)
    .describe("Each sign-in updates the user from the provider's profile."),
  requireEmailVerification: z
    .boolean()
    .default(false)
    .describe("Refuses a session to users whose address is not verified."),
  endpoints,
};

const functionShape = {
  verifyIdToken: functionOption<(token: string, nonce?: string) => boolean | Promise<boolean>>()
    .optional()
    .describe("Replaces the built-in verification of id tokens."),
  getUserInfo: functionOption<UserInfoReader>()
    .optional()
    .describe("Replaces the built-in way of reading the user. Returns `{ user, data }` or null."),
  mapProfileToUser: functionOption<Mapper>()
    .optional()
    .describe(
      "Returns members of the user from the provider's profile. They override the built-in ones.",
    ),
  refreshAccessToken: functionOption<
    (refreshToken: string) => ProviderTokens | Promise<ProviderTokens>
  >()
    .optional()
    .describe("Replaces the built-in refresh of tokens."),
};

/** Options of every provider of the catalogue. */
export const providerShape = {
  clientId: clientId.optional(),
  clientSecret: z
    .string()
    .min(1)
    .optional()
    .describe("Client secret. Without one, the client is public.")
    .meta({ secret: "whole" }),
  privateKey: z
    .strictObject({
      pem: z.string().startsWith("-----BEGIN PRIVATE KEY-----"),
      alg: z.enum(["RS256", "PS256", "ES256", "EdDSA"]).default("RS256"),
      kid: z.string().min(1).optional(),
    })
    .optional()
    .describe(
      "Key that authenticates the client instead of a secret (private_key_jwt): `{ pem, alg, kid }`.",
    )
    .meta({ secret: "whole" }),
  ...signInShape,
  ...functionShape,
};

export type ProviderOptions = z.output<z.ZodObject<typeof providerShape>>;

/** A provider of the catalogue, with its own options. */
export const providerOption = <Shape extends z.ZodRawShape>(own: Shape) =>
  z.strictObject({ ...providerShape, ...own }).optional();

const path = z.string().min(1).max(200);

/** Any other provider: OpenID Connect by its issuer or discovery URL, OAuth 2 by its endpoints. */
export const genericProviderOption = z
  .strictObject({
    ...providerShape,
    name: z.string().min(1).optional().describe("Name in mails. By default the id."),
    issuer: absoluteUrl
      .optional()
      .describe("Issuer of an OpenID provider. Endpoints are discovered unless they are set."),
    discoveryUrl: absoluteUrl
      .optional()
      .describe("URL of the OpenID provider's metadata, if it is not below the issuer."),
    clientAuthentication: z
      .enum(["basic", "post"])
      .optional()
      .describe(
        "How the client secret is sent. By default as the metadata says, otherwise `basic`.",
      ),
    pkce: z
      .boolean()
      .default(true)
      .describe("Sends a code challenge. Turn off for providers that refuse it."),
    scopeSeparator: z.enum([" ", ","]).default(" ").describe("Separator of scopes."),
    authorizationParameters: z
      .record(z.string(), z.string())
      .default({})
      .describe("Additional parameters of the authorization URL."),
    profile: z
      .strictObject({
        id: path.default("sub"),
        name: path.default("name"),
        email: path.default("email"),
        image: path.default("picture"),
        emailVerified: path.default("email_verified"),
      })
      .prefault({})
      .describe("Where the profile has the members of the user: names, separated by dots."),
  })
  .superRefine(({ issuer, discoveryUrl, endpoints: given }, context) => {
    if (issuer || discoveryUrl || (given.authorization && given.token && given.userInfo)) return;
    context.addIssue({
      code: "custom",
      message:
        "is not a known provider: set issuer or discoveryUrl, or endpoints.authorization, endpoints.token and endpoints.userInfo",
    });
  });
