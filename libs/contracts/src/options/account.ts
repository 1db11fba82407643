import { z } from "zod";
import { functionOption, section, webOrigin, webPath } from "./option.ts";
import { namingOptions } from "./additional-field.ts";

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
  enabled: z
    .boolean()
    .default(true)
    .describe(
      "Makes the account web the place of users without an application: mails and errors lead to it. If off, it is still served while the admin web is, because admins sign in there.",
    ),
  path: webPath
    .default("/account")
    .describe("Path of the account web, relative to the origin and outside `basePath`."),
  identifierFirst: z
    .boolean()
    .default(false)
    .describe(
      "The sign-in page of the account web asks for the email or username first, and for the password in a second step.",
    ),
  pictureOrigins: z
    .array(webOrigin)
    .default([])
    .describe(
      "Origins from which the account web may load pictures of users and logos of organizations. Their servers learn who views them. Initials take the place of other pictures.",
    ),
  encryptOAuthTokens: z
    .boolean()
    .default(true)
    .describe(
      "Encrypts the stored tokens of providers. If off, anyone who can read the table can read them.",
    ),
  returnRefreshToken: z
    .boolean()
    .default(true)
    .describe("The token operations also return refresh tokens."),
  updateAccountOnSignIn: z
    .boolean()
    .default(true)
    .describe("Each sign-in updates the stored tokens of the provider."),
  storeStateStrategy: z
    .enum(["database", "cookie"])
    .default("database")
    .describe(
      "Where the state of a sign-in at a provider is stored: in a row or in an encrypted cookie.",
    ),
  skipStateCookieCheck: z
    .boolean()
    .default(false)
    .describe(
      "Accepts a callback without the cookie of its start, for clients that keep no cookies.",
    ),
  accountLinking: section({
    enabled: z.boolean().default(true).describe("Accounts at providers can be linked to users."),
    disableImplicitLinking: z
      .boolean()
      .default(false)
      .describe(
        "A sign-in never links an account by address; only signed-in users can link accounts.",
      ),
    requireLocalEmailVerified: z
      .boolean()
      .default(true)
      .describe("A sign-in links an account by address only to a user whose address is verified."),
    trustedProviders: trustedProviders
      .default([])
      .describe("Providers whose addresses are trusted even if they do not mark them as verified."),
    allowDifferentEmails: z
      .boolean()
      .default(false)
      .describe("Signed-in users may link an account with a different address."),
    updateUserInfoOnLink: z
      .boolean()
      .default(false)
      .describe("Linking copies the name and image of the account to the user."),
    notifyByMail: z
      .boolean()
      .default(true)
      .describe("Notifies users with a verified address of each account that is linked."),
    allowUnlinkingAll: z.boolean().default(false).describe("Users may unlink their last account."),
  }),
  ...namingOptions("account"),
});

export const verificationOptions = section({
  storeIdentifier: z
    .enum(["hashed", "plain"])
    .default("hashed")
    .describe(
      "How the identifiers of single-use tokens are stored. Anyone who can read the table can use plain ones.",
    ),
  disableCleanup: z
    .boolean()
    .default(false)
    .describe("Keeps expired tokens. They are never accepted."),
  ...namingOptions("verification"),
});
