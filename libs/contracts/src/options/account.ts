import { z } from "zod";
import { functionOption, section } from "./option.ts";
import { namingOptions } from "./user.ts";

const trustedProviders = z.union([
  z.array(z.string().min(1)),
  functionOption<
    (request: {
      baseUrl: string;
      address: string;
      userAgent: string;
    }) => string[] | Promise<string[]>
  >(),
]);

export const accountOptions = section({
  encryptOAuthTokens: z
    .boolean()
    .default(true)
    .describe("Tokens of providers rest sealed; off keeps them readable for who reads the table."),
  returnRefreshToken: z
    .boolean()
    .default(true)
    .describe("The token operations answer with refresh tokens too."),
  updateAccountOnSignIn: z
    .boolean()
    .default(true)
    .describe("Each sign-in keeps the provider's new tokens."),
  storeStateStrategy: z
    .enum(["database", "cookie"])
    .default("database")
    .describe("Where a sign-in at a provider rests meanwhile: a row, or a sealed cookie."),
  skipStateCookieCheck: z
    .boolean()
    .default(false)
    .describe("A callback without the cookie of its start is taken, for clients that keep none."),
  accountLinking: section({
    enabled: z.boolean().default(true).describe("Accounts at providers can be linked to users."),
    disableImplicitLinking: z
      .boolean()
      .default(false)
      .describe("A sign-in never links by address; only who is signed in links."),
    requireLocalEmailVerified: z
      .boolean()
      .default(true)
      .describe("A sign-in links by address only to a user whose address is verified."),
    trustedProviders: trustedProviders
      .default([])
      .describe("Providers whose word on an address is taken though they do not call it verified."),
    allowDifferentEmails: z
      .boolean()
      .default(false)
      .describe("Who is signed in may link an account of another address."),
    updateUserInfoOnLink: z
      .boolean()
      .default(false)
      .describe("Linking copies the name and image of the account to the user."),
    requireFreshSession: z
      .boolean()
      .default(false)
      .describe("Linking needs a fresh session, as unlinking does."),
    notifyByMail: z
      .boolean()
      .default(true)
      .describe("A user with a verified address is told of each account that is linked."),
    allowUnlinkingAll: z.boolean().default(false).describe("The last account may be unlinked too."),
  }),
  ...namingOptions("account"),
});

export const verificationOptions = section({
  storeIdentifier: z
    .enum(["hashed", "plain"])
    .default("hashed")
    .describe("How the identifiers of single-use tokens rest; plain ones can be used by a reader."),
  disableCleanup: z
    .boolean()
    .default(false)
    .describe("Expired tokens are kept; they open nothing either way."),
  ...namingOptions("verification"),
});
