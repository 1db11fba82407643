import { z } from "zod";
import { fullUserSchema } from "../../objects.ts";
import { imageLengthMax, plainText } from "../../plain-text.ts";

// Schemas that the admin operations share with the internal ones.

export const roles = z.union([plainText(1024), z.array(plainText(64)).max(64)]);
export const oneUser = z.object({ user: fullUserSchema });

/** The last year that a time in ISO 8601 has four digits for. With an offset, a time may be of the year after. */
const yearMax = 9_999;

/** Optional members of a new user. They override the members beside `data`. Further members are the additional fields. */
export const userData = z
  .looseObject({
    name: plainText(1024).optional(),
    role: roles.optional(),
    emailVerified: z.boolean().optional(),
    image: plainText(imageLengthMax).nullable().optional(),
    username: plainText(255).optional(),
    displayUsername: plainText(255).optional(),
    phoneNumber: plainText(64)
      .nullable()
      .optional()
      .describe("In E.164. It signs in once its user has proven it. Null removes it."),
    banned: z.boolean().optional(),
    banReason: plainText(1024).nullable().optional(),
    banExpires: z.iso
      .datetime({ offset: true })
      .refine((text) => new Date(text).getUTCFullYear() <= yearMax)
      .nullable()
      .optional(),
  })
  .meta({ inputFieldsOf: "user" });

export const createUserBody = {
  email: z.string(),
  /** Without one, the user has no password and signs in by another method. */
  password: z.string().optional(),
  name: plainText(1024),
  role: roles.optional(),
  data: userData.optional(),
};
export const createUserErrors = [
  "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
  "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS",
  "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS",
  "INVALID_EMAIL",
  "INVALID_PHONE_NUMBER",
  "PHONE_NUMBER_EXIST",
  "PASSWORD_TOO_SHORT",
  "PASSWORD_TOO_LONG",
  "PASSWORD_COMPROMISED",
  ["USER_ALREADY_EXISTS", 400],
  ["FAILED_TO_CREATE_USER", 422],
  ["FAILED_TO_CREATE_USER", 500],
  "FIELD_IS_REQUIRED",
  "USERNAME_IS_TOO_SHORT",
  "USERNAME_IS_TOO_LONG",
  "USERNAME_IS_INVALID",
  "USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER",
] as const;
