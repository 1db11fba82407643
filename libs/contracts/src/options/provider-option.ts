import { z } from "zod";
import { functionOption } from "./option.ts";

/** What a token endpoint gave, or a client with its id token. Times are absent where the provider named none. */
export interface ProviderTokens {
  tokenType?: string | undefined;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  idToken?: string | undefined;
  accessTokenExpiresAt?: Date | undefined;
  refreshTokenExpiresAt?: Date | undefined;
  /** Those that were granted; absent where the provider named none. */
  scopes?: string[] | undefined;
}

/** Somebody at a provider. `id` is the provider's, as text. */
export interface ProviderUser {
  id: string;
  name?: string | null | undefined;
  email?: string | null | undefined;
  image?: string | null | undefined;
  emailVerified?: boolean | undefined;
}

/** A provider's own words about a user. */
export type ProviderProfile = Record<string, unknown>;

/** Members of the user that is made of a profile: the built-in ones and additional fields. */
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
    `Addresses in place of the provider's own: ${endpointNames.map((name) => `\`${name}\``).join(", ")}.`,
  );

const clientId = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .describe("Id of the client; of a list the first asks, and id tokens may be for any.");

const signInShape = {
  enabled: z.boolean().default(true).describe("Off: there is no such provider."),
  scope: z.array(z.string().min(1)).default([]).describe("Scopes asked for besides the default."),
  disableDefaultScope: z.boolean().default(false).describe("Asks for no default scopes."),
  redirectURI: absoluteUrl
    .optional()
    .describe("Where the provider sends the browser back; by default `{base}/callback/{id}`."),
  prompt: z
    .enum(["select_account", "consent", "login", "none", "select_account+consent"])
    .optional()
    .describe("What the provider shows to who is signed in there already."),
  responseMode: z
    .enum(["query", "form_post"])
    .optional()
    .describe("How the provider sends the browser back."),
  disableIdTokenSignIn: z
    .boolean()
    .default(false)
    .describe("Id tokens that clients bring are refused."),
  disableSignUp: z.boolean().default(false).describe("Nobody is registered; users sign in."),
  disableImplicitSignUp: z
    .boolean()
    .default(false)
    .describe("Somebody new is registered only where `requestSignUp` was sent."),
  overrideUserInfoOnSignIn: z
    .boolean()
    .default(false)
    .describe("Each sign-in writes what the provider says of the user."),
  requireEmailVerification: z
    .boolean()
    .default(false)
    .describe("No session for a user whose address is not verified."),
  endpoints,
};

const functionShape = {
  verifyIdToken: functionOption<(token: string, nonce?: string) => boolean | Promise<boolean>>()
    .optional()
    .describe("Decides in place of the built-in check whether an id token is good."),
  getUserInfo: functionOption<UserInfoReader>()
    .optional()
    .describe("Reads the user in place of the built-in way: `{ user, data }` or null."),
  mapProfileToUser: functionOption<Mapper>()
    .optional()
    .describe("Members of the user, by the provider's profile; laid over the built-in ones."),
  refreshAccessToken: functionOption<
    (refreshToken: string) => ProviderTokens | Promise<ProviderTokens>
  >()
    .optional()
    .describe("Refreshes tokens in place of the built-in way."),
};

/** The options that every provider has. */
export const providerShape = {
  clientId: clientId.optional(),
  clientSecret: z
    .string()
    .min(1)
    .optional()
    .describe("Secret of the client; without one it is public.")
    .meta({ secret: "whole" }),
  privateKey: z
    .strictObject({
      pem: z.string().startsWith("-----BEGIN PRIVATE KEY-----"),
      alg: z.enum(["RS256", "PS256", "ES256", "EdDSA"]).default("RS256"),
      kid: z.string().min(1).optional(),
    })
    .optional()
    .describe(
      "Key that signs who we are in place of a secret (private_key_jwt): `{ pem, alg, kid }`.",
    )
    .meta({ secret: "whole" }),
  ...signInShape,
  ...functionShape,
};

/** The options that every provider has. */
export type ProviderOptions = z.output<z.ZodObject<typeof providerShape>>;

/** A provider of the catalogue, with the options of its own. */
export const providerOption = <Shape extends z.ZodRawShape>(own: Shape) =>
  z.strictObject({ ...providerShape, ...own }).optional();

const path = z.string().min(1).max(200);

/** Any other provider: OpenID Connect by its issuer or discovery URL, OAuth 2 by its endpoints. */
export const genericProviderOption = z
  .strictObject({
    ...providerShape,
    name: z.string().min(1).optional().describe("Its name in mails; by default the id."),
    issuer: absoluteUrl
      .optional()
      .describe("Issuer of an OpenID provider, found out by discovery unless endpoints are given."),
    discoveryUrl: absoluteUrl
      .optional()
      .describe("Address of an OpenID provider's metadata, where it is not below the issuer."),
    clientAuthentication: z
      .enum(["basic", "post"])
      .optional()
      .describe("How the secret is sent; by default as the metadata says, else `basic`."),
    pkce: z.boolean().default(true).describe("Sends a code challenge; off for who refuses one."),
    scopeSeparator: z.enum([" ", ","]).default(" ").describe("Between scopes."),
    authorizationParameters: z
      .record(z.string(), z.string())
      .default({})
      .describe("Further parameters of the authorization URL."),
    profile: z
      .strictObject({
        id: path.default("sub"),
        name: path.default("name"),
        email: path.default("email"),
        image: path.default("picture"),
        emailVerified: path.default("email_verified"),
      })
      .prefault({})
      .describe("Where the profile has the members of the user: names, with dots between."),
  })
  .superRefine(({ issuer, discoveryUrl, endpoints: given }, context) => {
    if (issuer || discoveryUrl || (given.authorization && given.token && given.userInfo)) return;
    context.addIssue({
      code: "custom",
      message:
        "is no provider that we know: set issuer or discoveryUrl, or endpoints.authorization, endpoints.token and endpoints.userInfo",
    });
  });
