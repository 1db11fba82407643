import { z } from "zod";
import { type ConfiguredUser, fullUserSchema, sessionSchema } from "../objects.ts";
import { additionalFields, namingOptions, sessionFields } from "./additional-field.ts";
import { functionOption, seconds, section } from "./option.ts";

/** Names that an additional field cannot have, because the objects or requests that carry it already use them. */
const reservedNames = new Set([
  ...Object.keys(fullUserSchema.shape),
  ...Object.keys(sessionSchema.shape),
  ..."revision extra password callbackURL rememberMe invitationProof".split(" "),
]);

export const userOptions = section({
  additionalFields: additionalFields({ of: "a user", reservedNames }),
  ...namingOptions("user"),
  changeEmail: section({
    enabled: z.boolean().default(false).describe("Users may change their address."),
    confirmByMail: z
      .boolean()
      .default(true)
      .describe(
        "A verified address must confirm its change first. If off, such a change is refused.",
      ),
  }),
  deleteUser: section({
    enabled: z.boolean().default(false).describe("Users may delete their account."),
    confirmByMail: z
      .boolean()
      .default(true)
      .describe("A mailed link confirms the deletion. If off, the account is deleted at once."),
    deleteTokenExpiresIn: seconds
      .min(1)
      .default(86_400)
      .describe("Lifetime of a link, in seconds."),
    beforeDelete: functionOption<(user: ConfiguredUser) => unknown>()
      .optional()
      .describe("Called before a user is deleted. An error that it throws prevents the deletion."),
    afterDelete: functionOption<(user: ConfiguredUser) => unknown>()
      .optional()
      .describe("Called after a user is deleted."),
  }),
});

export const sessionFieldOptions = {
  additionalFields: sessionFields({ of: "a session", reservedNames }),
  ...namingOptions("session"),
};
